import { cutText } from './cut-text.ts';

/**
 * The name of a downloaded image or photo, `<product name>-<date>.png`, safe in every file system.
 * @param productName as the seller wrote it; may be empty
 * @param askedAt when the image was requested, as an ISO date and time
 * @param extension without dot
 */
export function downloadName(productName: string, askedAt: string, extension = 'png'): string {
  return `${safeFileName(productName)}-${askedAt.slice(0, 10)}.${extension}`;
}

interface BatchFile {
  sku: string;
  name: string;
  row: number;
  n: number;
  preset?: string;
}

/**
 * The name of a file of a batch.
 * @param pattern with the placeholders `{sku}`, `{name}`, `{row}`, `{n}`, the take, `{preset}`, and `{amazon}`: how Amazon calls
 * the pictures of a product, `MAIN` for the first and `PT01`, `PT02` for the others
 * @param file both numbers count from 1; `preset` is empty for an image as it was made
 * @param extension without dot
 */
export function batchFileName(
  pattern: string,
  { sku, name, row, n, preset = '' }: BatchFile,
  extension: string,
): string {
  const values: Record<string, string> = {
    // A row without a SKU is named by its product.
    '{sku}': safeFileName(sku || name || `row-${row}`),
    '{name}': safeFileName(name || sku || `row-${row}`),
    '{row}': String(row),
    '{n}': String(n),
    '{preset}': preset,
    '{amazon}': n === 1 ? 'MAIN' : `PT${String(n - 1).padStart(2, '0')}`,
  };
  return `${safeFileName(fill(pattern, values))}.${extension}`;
}

/** Replaces the placeholders of a pattern; those that it does not know are removed. */
function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{\w+\}/g, (placeholder) => values[placeholder] ?? '');
}

/** Characters of a file name without its ending and what is added to it: of at most 3 bytes each, of 255 that file systems allow. */
const nameCharacters = 66;
/** Names that Windows keeps for devices, with whatever ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** @returns a text as a file name without ending, safe in every file system; `product` if nothing of it is left */
function safeFileName(text: string): string {
  const name = text
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const short = cutText(name, nameCharacters).replace(/[.-]+$/, '');
  return reserved.test(short) ? `_${short}` : short || 'product';
}

/**
 * The name of an exported file.
 * @param pattern with the placeholders `{product}`, `{preset}` and `{date}`
 * @param askedAt when the image was requested, as an ISO date and time
 * @param extension without dot
 */
export function exportName(
  pattern: string,
  { productName, preset, askedAt }: { productName: string; preset: string; askedAt: string },
  extension: string,
): string {
  const values: Record<string, string> = {
    '{product}': safeFileName(productName),
    '{preset}': preset,
    '{date}': askedAt.slice(0, 10),
  };
  return `${safeFileName(fill(pattern, values))}.${extension}`;
}
