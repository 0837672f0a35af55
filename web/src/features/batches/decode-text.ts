/** Control characters that no table contains: the file is something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The text of a file: UTF-8, UTF-16 if it begins with its mark, else Windows-1252, which spreadsheets for Windows write.
 * @returns null if the file is no text
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decode(bytes);
  return binary.test(text) ? null : text;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
