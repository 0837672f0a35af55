import { toast } from 'sonner';
import { findVisitorPhoto, removeVisitorPhoto, type VisitorPhoto } from '#web/lib/visitor-photo.ts';

/**
 * Puts the photo that a visitor tried before signing up into the form, or offers that where there are photos already.
 * @param shown the photos of the form
 * @param fillIn resolves when the photo is part of the draft
 */
export async function takeVisitorPhoto(
  shown: readonly { file: File }[],
  fillIn: (photo: VisitorPhoto) => Promise<unknown>,
): Promise<void> {
  const photo = await findVisitorPhoto();
  if (photo === null) return;
  // It is in the draft before it is taken away.
  const take = () => fillIn(photo).then(removeVisitorPhoto);
  if (shown.length === 0) return take();
  // Another window of this browser has just put it into the draft.
  if (shown.some(({ file }) => isSameFile(file, photo.file))) return removeVisitorPhoto();
  toast.info('You tried a photo on our start page. Use it in place of the ones here?', {
    // The studio that was opened last takes the place of an earlier one's message, whose form is gone.
    id: 'visitor-photo',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Use it', onClick: () => void take() },
    onDismiss: () => void removeVisitorPhoto(),
  });
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}
