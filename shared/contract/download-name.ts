import { cutText } from './cut-text.ts';

/**
 * The name of a downloaded image or photo, `<product name>-<date>.png`, safe in every file system.
 * @param productName as the seller wrote it; may be empty
 * @param askedAt when the image was requested, as an ISO date and time
 * @param extension without dot
 */
export function downloadName(productName: string, askedAt: string, extension = 'png'): string {
  return `${fileNamePart(productName)}-${askedAt.slice(0, 10)}.${extension}`;
}

/** What names a file of a product. */
interface NamedFile {
  /** Amazon's number of the product. */
  asin?: string | undefined;
  sku: string;
  /** Of the product. */
  name: string;
  /** The place of the image among those of its product that are exported, from 1. */
  place: number;
  /** How names of files call it; empty for an image as it was made. */
  preset: string;
}

/**
 * The values of the placeholders that files of all kinds have. `{amazon}` is how Amazon calls the pictures of a product: `MAIN`
 * for the first and `PT01`, `PT02` for the others. A product without an ASIN is named by its SKU, one without a SKU by its name.
 * @param other names the product if it has nothing of these
 */
function placeholders({ asin, sku, name, place, preset }: NamedFile, other: string): Record<string, string> {
  return {
    '{asin}': fileNamePart(asin || sku || name || other),
    '{sku}': fileNamePart(sku || name || other),
    '{preset}': preset,
    '{amazon}': place === 1 ? 'MAIN' : `PT${String(place - 1).padStart(2, '0')}`,
  };
}

/**
 * The name of a file of a batch.
 * @param pattern with the placeholders `{asin}`, `{sku}`, `{name}`, `{row}`, `{n}`, the take, `{preset}` and `{amazon}`
 * @param file row and take count from 1
 * @param extension without dot
 * @param suffix tells it from other files of its name: it is never cut off
 */
export function batchFileName(
  pattern: string,
  { row, n, ...file }: NamedFile & { row: number; n: number },
  extension: string,
  suffix = '',
): string {
  const values = {
    ...placeholders(file, `row-${row}`),
    '{name}': fileNamePart(file.name || file.sku || `row-${row}`),
    '{row}': String(row),
    '{n}': String(n),
  };
  return `${fileNamePart(fill(pattern, values))}${suffix}.${extension}`;
}

/** Replaces the placeholders of a pattern; those that it does not know are removed. */
function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{\w+\}/g, (placeholder) => values[placeholder] ?? '');
}

/** Characters of a file name without its ending and what is added to it: of at most 3 bytes each, of 255 that file systems allow. */
const nameCharacters = 66;
/** Names that Windows keeps for devices, with whatever ending. */
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³])(\.|$)/i;

/** @returns a text as a file name without ending, safe in every file system; @param otherwise if nothing of it is left */
export function fileNamePart(text: string, otherwise = 'product'): string {
  const name = text
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const short = cutText(name, nameCharacters).replace(/[.-]+$/, '');
  return reserved.test(short) ? `_${short}` : short || otherwise;
}

/**
 * The name of an exported file.
 * @param pattern with the placeholders `{product}`, `{asin}`, `{sku}`, `{n}`, the place, `{preset}`, `{amazon}` and `{date}`
 * @param file `askedAt`: when the image was requested, as an ISO date and time
 * @param extension without dot
 * @param suffix tells it from other files of its name: it is never cut off
 */
export function exportName(
  pattern: string,
  { askedAt, ...file }: NamedFile & { askedAt: string },
  extension: string,
  suffix = '',
): string {
  const values = {
    ...placeholders(file, 'product'),
    '{product}': fileNamePart(file.name),
    '{n}': String(file.place),
    '{date}': askedAt.slice(0, 10),
  };
  return `${fileNamePart(fill(pattern, values))}${suffix}.${extension}`;
}
