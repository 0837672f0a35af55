import { cutText } from './cut-text.ts';
import { isolateName } from './isolate-name.ts';

/** Characters of a photo's name in a message. */
const nameCharacters = 60;
const anyPhoto = /^One of the (photos|files)/;

/** Replaces "One of the photos" at the start of a message by the name of the photo; any other message stays. */
export function namePhoto(message: string, fileName: string): string {
  const name = displayName(fileName);
  return name === '' ? message : message.replace(anyPhoto, () => `“${isolateName(name)}”`);
}

/** A file name, which may be anything, as one line of bounded length without folders. */
function displayName(fileName: string): string {
  const last = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const line = last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return line.length > nameCharacters ? `${cutText(line, nameCharacters - 1)}…` : line;
}
