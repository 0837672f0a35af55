import { cutText, limits } from '#contract';

/** Words in file names that cameras, phones and clipboards generate. */
const generatedWords = new Set(
  (
    'img dsc dscn dscf pxl mvimg image images photo picture pasted screenshot screen shot scan untitled download ' +
    'whatsapp signal at am pm edited copy x p'
  ).split(' '),
);

function isGeneratedName(words: string): boolean {
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .every((word) => word === '' || generatedWords.has(word));
}

/**
 * Suggests a product name from a photo's file name: `red_coffee-cup (1).png` gives `Red coffee cup`.
 * @returns '' if the file name was generated
 */
export function productNameFromFile(fileName: string): string {
  const words = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/\(\d+\)$/, '')
    .replace(/[_+\-.]+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: file names may contain characters that the field does not allow
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  // Also rejects hashes and identifiers.
  if (isGeneratedName(words) || /^[0-9a-f ]{12,}$/i.test(words)) return '';
  return cutText(words.charAt(0).toUpperCase() + words.slice(1), limits.productNameCharacters).trimEnd();
}

/**
 * The product name that a form's photos suggest: that of the first photo whose file name says something.
 * @returns '' if none does
 */
export function automaticName(photos: readonly { file: Pick<File, 'name'> }[]): string {
  return photos.map(({ file }) => productNameFromFile(file.name)).find((name) => name !== '') ?? '';
}
