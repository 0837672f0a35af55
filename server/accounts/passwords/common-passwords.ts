import { dictionary } from '@zxcvbn-ts/language-common';

/** Almost 50,000 passwords that leaked lists have most often, in lower case. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** What people write for letters. A `1` and a `!` may be an i or an l, so there are two ways to read. */
const signs: Readonly<Record<string, string>> = {
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
const asI = (text: string) => text.replace(/[01!|3€4@5$7+89]/g, (sign) => signs[sign]!);
const asL = (text: string) => asI(text.replace(/[1!|]/g, 'l'));

/** Shorter words are on the list too, but what is put around them makes most of the password. */
const shortestWord = 4;

/** Characters put around a word that hide nothing: `2024!`, `-123`. */
const mostAround = 6;

/**
 * Whether a password is on the list of common ones, also in another case, with signs for letters, and with digits and
 * signs around it: `P@ssword1!`. Takes time in proportion to its length.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return bareWords(lower).some((word) => readings(word).some((read) => common.has(read)));
}

/** A text as it is, and with its signs read as letters. @param text in lower case */
export function readings(text: string): string[] {
  return [text, asI(text), asL(text)];
}

/** A password as it is, and without the digits and signs around it, on each side and on both. */
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
