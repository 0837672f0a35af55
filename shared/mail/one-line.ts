/** Text that people wrote, made fit to stand in a sentence of a mail or in its subject. */

/** Characters that turn the direction of what follows; a name may not do that to our sentence. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Scripts written from right to left: Hebrew, Arabic and their neighbours in Unicode's blocks. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * One line without control characters: line breaks and runs of spaces become one space. Text from right to left is
 * isolated, so the sentence around it keeps its order (Unicode Bidirectional Algorithm, UAX #9, 2.4).
 */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(directionControls, '')
    .trim();
  return rightToLeft.test(line) ? `${firstStrongIsolate}${line}${popDirectionalIsolate}` : line;
}
