/** User input, made safe for a sentence of a mail or its subject. */

/** Directional control characters: a name must not change the direction of the sentence around it. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Right-to-left scripts: Hebrew, Arabic and the neighbouring Unicode blocks. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * Removes control characters and replaces line breaks and runs of spaces by one space. Right-to-left text is isolated, so
 * that the sentence around it keeps its order (Unicode Bidirectional Algorithm, UAX #9, 2.4).
 */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(directionControls, '')
    .trim();
  return rightToLeft.test(line) ? `${firstStrongIsolate}${line}${popDirectionalIsolate}` : line;
}
