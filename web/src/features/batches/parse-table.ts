import Papa from 'papaparse';
import { isolateName, limits } from '#contract';
import { type Column, columns, emptyCells, type RowCells } from './table-row.ts';

interface ParsedTable {
  rows: RowCells[];
  /** What was left out, in words. */
  hints: string[];
}

/** A table that cannot be used, in words for the seller. */
export class TableFault extends Error {
  override name = 'TableFault';
}

const delimiters = [',', ';', '\t'] as const;
/** A first line that tells Excel the delimiter. */
const delimiterLine = /^sep=.\r?\n/i;
const photoColumn = /^photo(s| ?[1-9])$/;
const maxNamesShown = 5;

/**
 * Reads a table from the text of a CSV file or from cells copied in a spreadsheet. The first line names the columns, in
 * any order. Every cell is text: nothing is calculated.
 * @throws TableFault
 */
export function parseTable(text: string): ParsedTable {
  const content = text.replace(/^\ufeff/, '').replace(delimiterLine, '');
  if (content.trim() === '') throw new TableFault('This table is empty.');
  const { data, errors } = Papa.parse<string[]>(content, {
    delimiter: delimiterOf(content),
    skipEmptyLines: 'greedy',
  });
  if (errors.some(({ type }) => type === 'Quotes')) {
    throw new TableFault('A quotation mark in this table is not closed. Save it again as CSV and try again.');
  }
  const [header = [], ...lines] = data;
  const names = header.map(normalised);
  if (!names.some(isKnown)) {
    throw new TableFault(`The first line must name the columns: ${columns.join(', ')}.`);
  }
  if (lines.length === 0) throw new TableFault('There are no products below the first line.');
  if (lines.length > limits.batchRows) {
    const rows = lines.length.toLocaleString('en');
    throw new TableFault(
      `This table has ${rows} rows. One batch can have ${limits.batchRows}: please split it.`,
    );
  }
  return { rows: lines.map((line) => readLine(names, line)), hints: hintsOf(header, lines) };
}

/** Rows as a table that {@link parseTable} reads. */
export function unparseTable(rows: readonly RowCells[]): string {
  const data = rows.map((row) =>
    columns.map((name) => (name === 'photos' ? row.photos.join(';') : row[name])),
  );
  return Papa.unparse({ fields: [...columns], data });
}

/** The delimiter with which the first line names the most columns. */
function delimiterOf(content: string): string {
  const found = delimiters.map((delimiter) => {
    const [line = []] = Papa.parse<string[]>(content, { delimiter, preview: 1 }).data;
    return { delimiter, known: line.map(normalised).filter(isKnown).length };
  });
  return found.reduce((best, each) => (each.known > best.known ? each : best)).delimiter;
}

const normalised = (name: string) => name.trim().toLowerCase();
const isColumn = (name: string): name is Column => (columns as readonly string[]).includes(name);
const isKnown = (name: string) => isColumn(name) || photoColumn.test(name);

function readLine(names: readonly string[], line: readonly string[]): RowCells {
  const photos: string[] = [];
  const row = { ...emptyCells, photos };
  for (const [index, name] of names.entries()) {
    const cell = (line[index] ?? '').replace(/\r\n?/g, '\n').trim();
    if (photoColumn.test(name)) photos.push(...splitPhotos(cell));
    else if (isColumn(name) && name !== 'photos') row[name] ||= cell;
  }
  return row;
}

/** The names in a cell of photos. */
function splitPhotos(cell: string): string[] {
  return cell
    .split(/[;,|\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function hintsOf(header: readonly string[], lines: readonly string[][]): string[] {
  const hints: string[] = [];
  const unknown = header.filter((name) => name.trim() !== '' && !isKnown(normalised(name)));
  if (unknown.length === 1) hints.push(`The column “${isolateName(unknown[0]!.trim())}” was left out.`);
  if (unknown.length > 1)
    hints.push(
      `These columns were left out: ${listOf(unknown.map((name) => `“${isolateName(name.trim())}”`))}.`,
    );
  const tooLong = lines.flatMap((line, index) =>
    line.slice(header.length).some((cell) => cell.trim() !== '') ? [`${index + 1}`] : [],
  );
  if (tooLong.length > 0) {
    hints.push(
      `More cells than columns in row ${listOf(tooLong)}: put texts that contain the separator in quotation marks.`,
    );
  }
  return hints;
}

/** Names in a sentence; of many only the first few. */
function listOf(names: readonly string[]): string {
  const more = names.length - maxNamesShown;
  return names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
