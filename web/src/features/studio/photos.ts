import { errorDefinitions, limits, photoTypes } from '#contract';

/** A photo in a slot. */
export interface Photo {
  id: string;
  file: File;
  /** Object URL of its preview; null for a TIFF, which browsers cannot show. */
  preview: string | null;
}

/** The `accept` attribute of the file picker. */
export const acceptedFileTypes = [...Object.keys(photoTypes), ...Object.values(photoTypes).flat()].join(',');

/** Whether a file is of a supported type, by its type or name; the server checks the content. */
function isPhotoType({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  if (type in photoTypes) return true;
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  // Some systems have no type for AVIF or TIFF.
  const unknownType = type === '' || type === 'application/octet-stream';
  return unknownType && Object.values(photoTypes).flat().includes(extension);
}

/**
 * Selects the files that can be added.
 * @param usedSlots number of photos in the form
 * @returns `messages` say why the others cannot, each once
 */
export function checkFiles<T extends Pick<File, 'name' | 'type' | 'size'>>(
  files: readonly T[],
  usedSlots: number,
): { accepted: T[]; messages: string[] } {
  const accepted: T[] = [];
  const messages = new Set<string>();
  for (const file of files) {
    if (!isPhotoType(file)) messages.add(errorDefinitions.TYPE_UNSUPPORTED[1]);
    else if (file.size === 0) messages.add(errorDefinitions.FILE_EMPTY[1]);
    else if (file.size > limits.photoBytes) messages.add(errorDefinitions.FILE_TOO_LARGE[1]);
    else if (usedSlots + accepted.length >= limits.photos) messages.add(errorDefinitions.TOO_MANY_FILES[1]);
    else accepted.push(file);
  }
  return { accepted, messages: [...messages] };
}

/**
 * A photo with a preview; call `releasePhoto` when it is no longer shown.
 * @param id of a photo that is restored; a new one unless given
 */
export function createPhoto(file: File, id: string = crypto.randomUUID()): Photo {
  const previewable = file.type !== 'image/tiff' && !/\.tiff?$/i.test(file.name);
  return { id, file, preview: previewable ? URL.createObjectURL(file) : null };
}

/** Revokes the object URL of a photo's preview. */
export function releasePhoto(photo: Photo): void {
  if (photo.preview !== null) URL.revokeObjectURL(photo.preview);
}
