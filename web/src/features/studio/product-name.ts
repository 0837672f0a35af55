import { limits } from '#contract';

/** Words in the names that cameras, phones and clipboards give; they say nothing about the product. */
const machineWords = new Set(
  (
    'img dsc dscn dscf pxl mvimg image images photo picture pasted screenshot screen shot scan untitled download ' +
    'whatsapp signal at am pm edited copy x p'
  ).split(' '),
);

function isMachineName(words: string): boolean {
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .every((word) => word === '' || machineWords.has(word));
}

/**
 * A product's name from its photo's file name: `red_coffee-cup (1).png` gives `Red coffee cup`.
 * @returns '' when the name is a camera's or the clipboard's
 */
export function readableName(fileName: string): string {
  const words = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/\(\d+\)$/, '')
    .replace(/[_+\-.]+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may carry what a text field must not
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  // A hash or an identifier is no name either.
  if (isMachineName(words) || /^[0-9a-f ]{12,}$/i.test(words)) return '';
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, limits.productNameCharacters).trimEnd();
}
