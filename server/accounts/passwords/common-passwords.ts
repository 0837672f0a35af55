import { dictionary } from '@zxcvbn-ts/language-common';

/** Almost 50,000 of the most frequent leaked passwords, in lower case. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Characters that people write instead of letters. `1`, `!` and `|` stand for i or l, so there are two readings. */
const substitutes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  '3': 'e',
  '€': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '8': 'b',
  '9': 'g',
};
const asI = (text: string) => text.replace(/[01!|3€4@5$7+89]/g, (character) => substitutes[character]!);
const asL = (text: string) => asI(text.replace(/[1!|]/g, 'l'));

/** Shorter words are on the list too, but the characters around them make up most of the password. */
const shortestWord = 4;

/** How many characters around a word do not make it uncommon: `2024!`, `-123`. */
const mostAround = 6;

/**
 * Whether a password is on the list of common ones, regardless of case, of substituted characters, and of digits and
 * symbols around it: `P@ssword1!`. Takes linear time.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return bareWords(lower).some((word) => readings(word).some((read) => common.has(read)));
}

/** A text unchanged, and with substituted characters read as letters. @param text in lower case */
export function readings(text: string): string[] {
  return [text, asI(text), asL(text)];
}

/** A password unchanged, and without the digits and symbols at its start, at its end, and at both. */
function bareWords(password: string): string[] {
  const letter = /\p{L}/u;
  const characters = [...password];
  const first = characters.findIndex((character) => letter.test(character));
  const afterLast = characters.findLastIndex((character) => letter.test(character)) + 1;
  const afterDigits = characters.findLastIndex((character) => /[\p{L}\p{N}]/u.test(character)) + 1;
  const spans = [
    [0, afterDigits],
    [0, afterLast],
    [first, characters.length],
    [first, afterDigits],
    [first, afterLast],
  ] as const;
  const words = spans
    .filter(([start, end]) => start >= 0 && end - start >= shortestWord)
    .filter(([start, end]) => characters.length - (end - start) <= mostAround)
    .map(([start, end]) => characters.slice(start, end).join(''));
  return [password, ...words];
}
