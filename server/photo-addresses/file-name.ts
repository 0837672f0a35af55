import { cutText, limits, photoTypes } from '#contract';

/** What no name of a file has on some system, and what would be read as a folder. */
const notInNames = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;

/**
 * The name of the file that an address stands for: the last part of its path, with the ending of its format if it has none
 * of a photo.
 * @param address that can be parsed
 * @param mediaType what its content is
 */
export function fileNameOf(address: string, mediaType: string): string {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? '';
  const name = decoded(last).replace(notInNames, '').trim();
  const hasEnding = Object.values(photoTypes).some((endings) =>
    endings.some((ending) => name.toLowerCase().endsWith(ending) && name.length > ending.length),
  );
  if (hasEnding && name.length <= limits.fileNameCharacters) return name;
  const ending = photoTypes[mediaType]![0]!;
  const stem = cutText(name.replace(/^\.+/, ''), limits.fileNameCharacters - ending.length) || 'photo';
  return stem + ending;
}

/** The characters that percent signs stand for; the text itself if they stand for none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
