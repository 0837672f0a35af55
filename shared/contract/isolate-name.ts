/** Hebrew, Arabic and the neighbouring blocks of Unicode. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * A text that someone else wrote, for a sentence, a label or a title: text from right to left is isolated, so that it and the
 * sentence around it keep their order (Unicode Bidirectional Algorithm, UAX #9, 2.4). Any other text stays as it is, without
 * characters that control directions. Markup has `Name` (web/src/ui/name.tsx) instead. Nothing that is stored or is the name
 * of a file may have isolates.
 */
export function isolateName(name: string): string {
  const text = name.replace(directionControls, '');
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${popDirectionalIsolate}` : text;
}
