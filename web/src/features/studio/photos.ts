import { errorDefinitions, limits, photoTypes } from '#contract';

/** A photo in a slot. */
export interface Photo {
  id: string;
  file: File;
  /** Object URL of its preview; null for a TIFF, which browsers do not show. */
  preview: string | null;
}

/** The `accept` attribute of the picker. */
export const pickerAccept = [...Object.keys(photoTypes), ...Object.values(photoTypes).flat()].join(',');

/** Whether a file's type or name is one that is offered; the server looks at the bytes. */
function isPhotoType({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  if (type in photoTypes) return true;
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  // Some systems know no type for AVIF or TIFF and say nothing, or say that it is just bytes.
  const unknownType = type === '' || type === 'application/octet-stream';
  return unknownType && Object.values(photoTypes).flat().includes(extension);
}

/**
 * Sorts files into those that get a slot and the notices for those that do not.
 * @param taken slots that are full
 * @returns `accepted` in the order given; `notices` each once
 */
export function sortFiles<T extends Pick<File, 'name' | 'type' | 'size'>>(
  files: readonly T[],
  taken: number,
): { accepted: T[]; notices: string[] } {
  const accepted: T[] = [];
  const notices = new Set<string>();
  for (const file of files) {
    if (!isPhotoType(file)) notices.add(errorDefinitions.TYPE_UNSUPPORTED[1]);
    else if (file.size === 0) notices.add(errorDefinitions.FILE_EMPTY[1]);
    else if (file.size > limits.photoBytes) notices.add(errorDefinitions.FILE_TOO_LARGE[1]);
    else if (taken + accepted.length >= limits.photos) notices.add(errorDefinitions.TOO_MANY_FILES[1]);
    else accepted.push(file);
  }
  return { accepted, notices: [...notices] };
}

/** Makes a photo of a file; its preview lives until `releasePhoto`. */
export function createPhoto(file: File): Photo {
  const shown = file.type !== 'image/tiff' && !/\.tiff?$/i.test(file.name);
  return { id: crypto.randomUUID(), file, preview: shown ? URL.createObjectURL(file) : null };
}

/** Gives the memory of a photo's preview back. */
export function releasePhoto(photo: Photo): void {
  if (photo.preview !== null) URL.revokeObjectURL(photo.preview);
}
