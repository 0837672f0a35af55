// Older browsers have none; they cut between code points.
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** The characters of a text as people count them: an emoji of several code points is one. */
function* characters(text: string): Generator<string> {
  if (segmenter === null) yield* text;
  else for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The beginning of a text, with at most so many UTF-16 units; it never ends inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const character of characters(text)) {
    if (end + character.length > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The first character of a text, '' if it is empty. */
export function firstCharacter(text: string): string {
  for (const character of characters(text)) return character;
  return '';
}
