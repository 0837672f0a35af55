const digit = /\p{Nd}/u;

/** A text with the digits of every script as 0 to 9, such as those of a Japanese or an Arabic keyboard. */
export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (character) => {
    // Full-width and mathematical digits.
    const plain = character.normalize('NFKC');
    if (/^\d$/.test(plain)) return plain;
    // The digits of a script follow each other from its zero on.
    const code = character.codePointAt(0)!;
    let value = 0;
    while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}
