import { cutText } from './cut-text.ts';

/**
 * The name of a downloaded image or photo, `<product name>-<date>.png`, safe in every file system.
 * @param productName as the seller wrote it; may be empty
 * @param askedAt when the image was requested, as an ISO date and time
 * @param extension without dot
 */
export function downloadName(productName: string, askedAt: string, extension = 'png'): string {
  const values = { '{product}': fileNamePart(productName), '{date}': askedAt.slice(0, 10) };
  return fill('{product}-{date}', values, `.${extension}`);
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
  return fill(pattern, values, `${suffix}.${extension}`);
}

/** Bytes of a name, of 255 that file systems allow: what browsers and programs add to it has room. */
const nameBytes = 215;
/** A text in a name has less than twice as many UTF-16 units, because Windows opens a path of at most 260. */
const firstStep = 64;
/** Placeholders that tell the files of a product apart, and are short. */
const kept = /^{(row|n|date|amazon)}$/;
/** Names that Windows keeps for devices, with whatever ending. */
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³])(\.|$)/i;

/**
 * Replaces the placeholders of a pattern; those that it does not know are removed. If the name is too long its texts are
 * shortened, the longest first, and nothing else is.
 * @param values safe in file names @param ending stands behind what the pattern gives
 */
function fill(pattern: string, values: Readonly<Record<string, string>>, ending = ''): string {
  // Texts at even places, placeholders at odd ones.
  const pieces = pattern.split(/(\{\w+\})/);
  const join = (cut: (text: string) => string) =>
    pieces
      .map((piece, place) =>
        place % 2 ? (kept.test(piece) ? String : cut)(values[piece] ?? '') : cut(piece),
      )
      .join('');
  const bytes = new TextEncoder();
  const fits = (units: number) =>
    bytes.encode(`_${join((text) => text.slice(0, units))}${ending}`).length <= nameBytes;
  let most = 0;
  for (let step = firstStep; step >= 1; step /= 2) if (fits(most + step)) most += step;
  const name = safe(join((text) => (text.length > most ? cutText(text, most).replace(/[.-]+$/, '') : text)));
  return `${reserved.test(name) ? '_' : ''}${name || 'product'}${ending}`;
}

/** A text with those characters only that every file system allows. */
const safe = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');

/** @returns a text as a file name without ending, safe in every file system; @param otherwise if nothing of it is left */
export function fileNamePart(text: string, otherwise = 'product'): string {
  return fill('{text}', { '{text}': safe(text) || otherwise });
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
  return fill(pattern, values, `${suffix}.${extension}`);
}
