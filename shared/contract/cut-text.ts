/** A character as people count it: a flag, or a letter or an emoji with what belongs to it. Older browsers have no Intl.Segmenter. */
const characters = /\p{RI}{2}|.[\p{M}\p{EMod}]*(?:\u200d.[\p{M}\p{EMod}]*)*/gsu;

/** The beginning of a text, with at most so many UTF-16 units; it never ends inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let cut = '';
  for (const character of text.match(characters) ?? []) {
    if (cut.length + character.length > most) break;
    cut += character;
  }
  return cut;
}

/** The first character of a text, '' if it is empty. */
export function firstCharacter(text: string): string {
  return text.match(characters)?.[0] ?? '';
}
