import Papa from 'papaparse';
import { limits } from '#contract';
import { columns, emptyCells, type RowCells } from '../table-row.ts';
import { type Field, fieldsOf } from './known-columns.ts';
import { type SourceTable, TableFault, type TableLine } from './source-table.ts';

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

/** The lines with products. */
export const productLines = ({ lines, headerLine }: SourceTable): readonly TableLine[] =>
  headerLine === null ? lines : lines.slice(headerLine + 1);

/** What the columns are by their names; null for those whose names are not known. */
export const knownFields = (table: SourceTable): (Field | null)[] =>
  table.headerLine === null ? headerOf(table).map(() => null) : fieldsOf(headerOf(table));

/**
 * The rows of a table. Every cell is text: nothing is calculated.
 * @param fields what each column is
 * @throws TableFault if there are more products than a batch can have, or no column is chosen
 */
export function parseTable(table: SourceTable, fields: readonly Field[]): ParsedTable {
  if (fields.every((field) => field === 'leave-out' || field === 'group')) {
    throw new TableFault('Choose which column is the SKU, the name, the photos or the scene.');
  }
  const lines = productLines(table);
  const rows: RowCells[] = [];
  let group: { value: string; first: RowCells } | null = null;
  for (const { cells } of lines) {
    const row = readLine(fields, cells);
    const value = groupOf(fields, cells);
    if (group !== null && value !== '' && value === group.value && row.name === '' && row.scene === '') {
      if (row.sku === '') {
        // A line with one more picture of the product.
        replaceLast(rows, { ...rows.at(-1)!, photos: [...rows.at(-1)!.photos, ...row.photos] });
        continue;
      }
      const photos = row.photos.length > 0 ? row.photos : group.first.photos;
      rows.push({ ...row, name: group.first.name, scene: group.first.scene, photos });
      continue;
    }
    const first: RowCells = row.sku === '' && value !== '' ? { ...row, sku: value } : row;
    group = { value, first };
    rows.push(first);
  }
  if (rows.length > limits.batchRows) {
    throw new TableFault(
      `This table has ${rows.length.toLocaleString('en')} products. One batch can have ${limits.batchRows}: please split it.`,
    );
  }
  return { rows, hints: hintsOf(table, fields, lines) };
}

function replaceLast<Item>(items: Item[], item: Item): void {
  items[items.length - 1] = item;
}

const groupOf = (fields: readonly Field[], cells: readonly string[]) =>
  cells[fields.indexOf('group')]?.trim() ?? '';

/** Rows as a table that {@link parseTable} reads. */
export function unparseTable(rows: readonly RowCells[]): string {
  const data = rows.map((row) =>
    columns.map((name) => (name === 'photos' ? row.photos.join(';') : row[name])),
  );
  return Papa.unparse({ fields: [...columns], data });
}

function readLine(fields: readonly Field[], cells: readonly string[]): RowCells {
  const photos: string[] = [];
  const row = { ...emptyCells, photos };
  for (const [index, field] of fields.entries()) {
    const cell = (cells[index] ?? '').replace(/\r\n?/g, '\n').trim();
    if (field === 'photos') photos.push(...splitPhotos(cell));
    else if (field !== 'group' && field !== 'leave-out') row[field] ||= cell;
  }
  return row;
}

/** An address in a cell of photos: up to a space, or to a separator before the next address. */
const addresses = /(https?:\/\/\S+?)(?=[,;|]*(?:\s|$)|[,;|]+https?:\/\/)/i;

/** The names and addresses in a cell of photos. Addresses may contain what else separates names. */
const splitPhotos = (cell: string): string[] =>
  cell.split(addresses).flatMap((part, index) => (index % 2 === 1 ? [part] : splitNames(part)));

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

function hintsOf(
  { headerLine }: SourceTable,
  fields: readonly Field[],
  lines: readonly TableLine[],
): string[] {
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
    hints.push(`The names of the columns are in line ${headerLine + 1}. What stands above it was left out.`);
  }
  return hints;
}

/** Numbers in a sentence; of many only the first few. */
function listOf(names: readonly string[]): string {
  const more = names.length - maxNamesShown;
  return names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
