import Papa from 'papaparse';
import { cutText, limits } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { columns, emptyCells, type RowCells } from '../table-row.ts';
import { type Field, fieldsOf } from './known-columns.ts';
import { productLines, type SourceTable, TableFault, type TableLine } from './source-table.ts';

interface ParsedTable {
  rows: RowCells[];
  /** What was left out or should be looked at, in words. */
  hints: string[];
}

const maxNamesShown = 5;

/** The names of the columns; `Column 1` and so on where the table has none. */
export function headerOf({ lines, headerLine }: SourceTable): string[] {
  if (headerLine !== null) {
    const names = lines[headerLine]!.cells;
    return names.slice(0, trimmedLength(names)).map((name) => name.trim());
  }
  const width = Math.max(...lines.map(({ cells }) => trimmedLength(cells)));
  return Array.from({ length: width }, (_, index) => `Column ${index + 1}`);
}

const trimmedLength = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim() !== '') + 1;

/** What the columns are by their names; null for those whose names are not known. */
export function knownFields(table: SourceTable): (Field | null)[] {
  if (table.headerLine === null) return headerOf(table).map(() => null);
  const products = productLines(table).map(({ cells }) => cells);
  return fieldsOf(headerOf(table), products);
}

/** Whether columns say anything about images. */
export const sayAnything = (fields: readonly (Field | null)[]): boolean =>
  fields.some((field) => field !== null && !['group', 'parent', 'leave-out'].includes(field));

/**
 * The rows of a table. Every cell is text: nothing is calculated.
 * @param fields what each column is
 * @throws TableFault if there are more products than a batch can have, or no column is chosen
 */
export function parseTable(table: SourceTable, fields: readonly Field[]): ParsedTable {
  if (!sayAnything(fields)) {
    throw new TableFault('Choose which column is the SKU, the name, the photos or the scene.');
  }
  const products = productsOf(table, fields);
  const parts = products.flatMap((lines) => partsOf(fields, lines));
  if (parts.length > limits.batchRows) {
    throw new TableFault(
      `This table has ${parts.length.toLocaleString('en')} products. One batch can have ${limits.batchRows}: please split it.`,
    );
  }
  const rows = parts.map(({ own, all }) => rowOf(fields, [...own, ...all]));
  const hints = [...linesHints(table, fields), ...variantsHint(fields, products), ...photosHint(rows)];
  const withFewer = rows.map((row) => ({ ...row, photos: row.photos.slice(0, limits.photos) }));
  if (!headerOf(table).some((name) => /^variation 1 type$/i.test(name))) return { rows: withFewer, hints };
  return { rows: withFewer.map(withFirstSku), hints: [...hints, ...skusHint(rows)] };
}

/** Reads the cell of a line that a field has. */
const cellOf = (fields: readonly Field[], field: Field) => (line: TableLine) =>
  line.cells[fields.indexOf(field)]?.trim() ?? '';

/** The lines of each product: those of one group, wherever they stand, or of a parent and its variants. */
function productsOf(table: SourceTable, fields: readonly Field[]): TableLine[][] {
  const lines = productLines(table);
  const group = cellOf(fields, 'group');
  const parent = cellOf(fields, 'parent');
  const sku = cellOf(fields, 'sku');
  const idColumn = headerOf(table).findIndex((name) => /^id$/i.test(name));
  const parents = new Map<string, TableLine>();
  for (const line of lines.filter((each) => parent(each) === '')) {
    // WooCommerce names a parent without a SKU by its ID.
    parents.set(sku(line), line).set(`id:${line.cells[idColumn]?.trim()}`, line);
  }
  const ofParent = (line: TableLine) => (parent(line) !== '' && parents.get(parent(line))) || line;
  return divided(lines, (line) => group(line) || ofParent(line));
}

/** A row of a product, which has several if it has several scenes: the lines with its scene, and all of the product. */
interface Part {
  own: readonly TableLine[];
  all: readonly TableLine[];
}

function partsOf(fields: readonly Field[], all: readonly TableLine[]): Part[] {
  const scene = cellOf(fields, 'scene');
  const scenes = divided(
    all.filter((line) => scene(line) !== ''),
    scene,
  );
  return scenes.length <= 1 ? [{ own: [], all }] : scenes.map((own) => ({ own, all }));
}

/** Puts lines with the same key together. */
function divided(lines: readonly TableLine[], keyOf: (line: TableLine) => unknown): TableLine[][] {
  const groups = new Map<unknown, TableLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return [...groups.values()];
}

/** A row with the first that its lines say in each column, and with all their photos, each once. */
function rowOf(fields: readonly Field[], lines: readonly TableLine[]): RowCells {
  const photos = new Set<string>();
  const row = { ...emptyCells };
  for (const [index, field] of fields.entries()) {
    for (const { cells } of lines) {
      const cell = (cells[index] ?? '').replace(/\r\n?/g, '\n').trim();
      if (field === 'photos') for (const name of splitPhotos(cell)) photos.add(name);
      else if (field !== 'group' && field !== 'parent' && field !== 'leave-out') row[field] ||= cell;
    }
  }
  const sku = row.sku || cutText(cellOf(fields, 'group')(lines[0]!), limits.skuCharacters);
  return { ...row, sku, photos: [...photos] };
}

/** Etsy writes the SKUs of all variations into one cell. */
const withFirstSku = (row: RowCells): RowCells => ({ ...row, sku: row.sku.split(',')[0]!.trim() });

/** Rows as a table that {@link parseTable} reads. */
export function unparseTable(rows: readonly RowCells[]): string {
  const data = rows.map((row) =>
    columns.map((name) => (name === 'photos' ? row.photos.join(';') : row[name])),
  );
  return Papa.unparse({ fields: [...columns], data });
}

/** An address in a cell of photos: up to a space, or to a separator before the next address. */
const addresses = /(https?:\/\/\S+?)(?=[,;|]*(?:\s|$)|[,;|]+https?:\/\/)/i;

/** The names and addresses in a cell of photos. Addresses may contain what else separates names. */
const splitPhotos = (cell: string): string[] =>
  (listIn(cell) ?? cell.split('\n')).flatMap((text) =>
    text
      .split(addresses)
      .flatMap((part, index) => (index % 2 === 1 ? [part] : splitNames(part).map(withWixAddress))),
  );

/** The id of a picture at Wix, which its tables have in the place of an address. */
const wixPicture =
  /^(?:wix:image:\/\/v1\/)?((?:[\da-f]{6}|nsplsh)_[\da-f]{20,}(?:~mv2\w*)?\.\w{3,4})(?:[/#].*)?$/i;
const withWixAddress = (name: string) => name.replace(wixPicture, 'https://static.wixstatic.com/media/$1');

/** The texts of a list as programs write it, `["a.jpg", "b.jpg"]`; null if a cell is none. */
function listIn(cell: string): string[] | null {
  if (/^\[\s*\]$/.test(cell)) return [];
  const texts = /^\[.*\]$/s.test(cell) ? cell.match(/"[^"]*"|'[^']*'/g) : null;
  return texts?.map((text) => text.slice(1, -1)) ?? null;
}

/** Names of files. Where commas are, they may be part of a name: those of a photo's own name stay. */
function splitNames(text: string): string[] {
  const parts = text
    .replace(/^[\s,]+|[\s,]+$/g, '')
    .split(/[;|\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return parts.flatMap((part) => {
    const names = part.split(',').map((name) => name.trim());
    // Each of several names has an ending, as `a.jpg, b.jpg`; the first half of `mug, blue.jpg` has none.
    const isSeveral = names.every((name) => /\.\w{2,5}$/.test(name));
    return isSeveral || !/\.\w{2,5}$/.test(part) ? names.filter((name) => name !== '') : [part];
  });
}

/** Lines that should be looked at. */
function linesHints(table: SourceTable, fields: readonly Field[]): string[] {
  const { headerLine } = table;
  const lines = productLines(table);
  const hints: string[] = [];
  const width = fields.length;
  const stray = lines.filter(({ hasStrayQuote }) => hasStrayQuote).map(({ number }) => `${number}`);
  if (stray.length > 0) {
    hints.push(
      `A quotation mark is not closed in line ${listOf(stray)}: its cells may be cut wrongly. Please look at ${stray.length === 1 ? 'it' : 'them'}.`,
    );
  }
  const tooLong = lines.filter(
    ({ cells, hasStrayQuote }) => !hasStrayQuote && cells.slice(width).some((cell) => cell.trim() !== ''),
  );
  if (tooLong.length > 0) {
    hints.push(
      `More cells than columns in line ${listOf(tooLong.map(({ number }) => `${number}`))}: put texts that contain the separator in quotation marks.`,
    );
  }
  if (headerLine !== null && headerLine > 0) {
    hints.push(
      `The names of the columns are in line ${table.lines[headerLine]!.number}. What stands above it was left out.`,
    );
  }
  return hints;
}

/** Says how many variants have no row of their own. */
function variantsHint(fields: readonly Field[], products: readonly (readonly TableLine[])[]): string[] {
  const sku = cellOf(fields, 'sku');
  const skus = (lines: readonly TableLine[]) => new Set(lines.map(sku).filter((text) => text !== '')).size;
  const joined = products.reduce((sum, lines) => sum + Math.max(0, skus(lines) - 1), 0);
  if (joined === 0) return [];
  const [is, it] = joined === 1 ? ['is', 'its product'] : ['are', 'their products'];
  return [
    `${countText(joined, 'variant')} ${is} joined with ${it}: a product has the SKU of its first variant.`,
  ];
}

/** Says how many products have more photos than are used. */
function photosHint(rows: readonly RowCells[]): string[] {
  const count = rows.filter(({ photos }) => photos.length > limits.photos).length;
  if (count === 0) return [];
  const has = count === 1 ? 'has' : 'have';
  return [
    `${countText(count, 'product')} ${has} more than ${limits.photos} photos: the first ${limits.photos} are used.`,
  ];
}

/** Says how many products have several SKUs in their cell. */
function skusHint(rows: readonly RowCells[]): string[] {
  const count = rows.filter((row) => withFirstSku(row).sku !== row.sku).length;
  if (count === 0) return [];
  const has = count === 1 ? 'has' : 'have';
  return [`${countText(count, 'product')} ${has} several SKUs: the first is used.`];
}

/** Numbers in a sentence; of many only the first few. */
function listOf(names: readonly string[]): string {
  const more = names.length - maxNamesShown;
  return names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
