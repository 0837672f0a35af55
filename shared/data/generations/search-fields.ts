import { limits, splitTemplate } from '#contract';
import type { GenerationRow } from './schema.ts';

/** The fields of a generation that the library is searched and sorted by; they follow from its texts. */
export type SearchFields = Required<Pick<GenerationRow, 'words' | 'name_key'>> &
  Pick<GenerationRow, 'template'>;

/** Makes a text comparable: lower case, without accents. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of texts, comparable, each once: runs of letters and digits. */
export function wordsOf(...texts: string[]): string[] {
  const words = fold(texts.join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, limits.wordCharacters)))];
}

/** Characters by which names are sorted. */
const sortedCharacters = 80;

/** @returns the fields of a generation with these texts */
export function searchFieldsOf({
  prompt,
  product_name: name,
  sku = '',
}: Pick<GenerationRow, 'prompt' | 'product_name' | 'sku'>): SearchFields {
  const { template } = splitTemplate(prompt);
  return {
    words: wordsOf(name, sku, prompt).slice(0, limits.wordsOfImage),
    // Those without a name come last, by their scenes.
    name_key: `${name === '' ? 1 : 0} ${fold(name || prompt).slice(0, sortedCharacters)}`,
    ...(template && { template }),
  };
}
