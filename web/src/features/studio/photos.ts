import { clientErrors, limits, namePhoto } from '#contract';
import { randomId } from '#web/lib/hex.ts';

/** A photo in a slot. */
export interface Photo {
  id: string;
  file: File;
  /** Object URL of its preview; null for a TIFF, which browsers cannot show. */
  preview: string | null;
}

/**
 * Selects the files that can be added, as far as their size and number tell; `inspectPhoto` judges the content.
 * @param usedSlots number of photos in the form
 * @returns `messages` say why the others cannot, each once
 */
export function checkFiles<T extends Pick<File, 'name' | 'size'>>(
  files: readonly T[],
  usedSlots: number,
): { accepted: T[]; messages: string[] } {
  const accepted: T[] = [];
  const messages = new Set<string>();
  for (const file of files) {
    if (file.size === 0) messages.add(namePhoto(clientErrors.FILE_EMPTY[1], file.name));
    else if (file.size > limits.photoFileBytes) {
      messages.add(namePhoto(clientErrors.FILE_TOO_LARGE[1], file.name));
    } else if (usedSlots + accepted.length >= limits.photos) messages.add(clientErrors.TOO_MANY_FILES[1]);
    else accepted.push(file);
  }
  return { accepted, messages: [...messages] };
}

/**
 * A photo with a preview; call `releasePhoto` when it is no longer shown.
 * @param id of a photo that is restored; a new one unless given
 */
export function createPhoto(file: File, id: string = randomId()): Photo {
  const previewable = file.type !== 'image/tiff' && !/\.tiff?$/i.test(file.name);
  return { id, file, preview: previewable ? URL.createObjectURL(file) : null };
}

/** Revokes the object URL of a photo's preview. */
export function releasePhoto(photo: Photo): void {
  if (photo.preview !== null) URL.revokeObjectURL(photo.preview);
}
