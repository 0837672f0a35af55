import { isolateName, limits } from '#contract';
import { loadPart } from '#web/lib/full-load.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import { headerLineOf, headerLines, knownNames } from './known-columns.ts';

/** A table that cannot be used, in words for the seller. */
export class TableFault extends Error {
  override name = 'TableFault';
}

export const delimiters = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' } as const;
export type Delimiter = keyof typeof delimiters;

/** A table as it was chosen or pasted: its cells as text, before its columns are named. */
export interface SourceTable {
  /** Of the file; empty for pasted cells. */
  name: string;
  lines: readonly TableLine[];
  /** Index of the line that names the columns; null if there is none. */
  headerLine: number | null;
  /** Null if it is no text file: a workbook, or pasted cells. */
  encoding: Encoding | null;
  /** Whether the characters should be looked at. */
  isGuess: boolean;
  /** Null for a workbook. */
  delimiter: Delimiter | null;
  /** Of a workbook; null for a text. */
  sheet: string | null;
  /** The sheets of a workbook that have cells. */
  sheets: readonly string[];
}

export interface TableLine {
  cells: readonly string[];
  /** In the file, from 1. */
  number: number;
  /** Whether a quotation mark in it was not closed: its cells may be cut wrongly. */
  hasStrayQuote: boolean;
}

/** What the seller chose about a file; null where it is to be found. */
export interface ReadingChoices {
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  sheet: string | null;
}
export const nothingChosen: ReadingChoices = { encoding: null, delimiter: null, sheet: null };

/** Bytes of the largest table; 500 rows with the longest texts are smaller. */
const tableBytes = limits.batchBytes;
/** Lines of the largest table: shops write one for each variant and photo. */
const mostLines = limits.batchRows * 100;
/** A first line that tells Excel the delimiter. */
const delimiterLine = /^sep=.\n/i;

/** Reads a table from a file or from cells that were copied in a spreadsheet. @throws TableFault */
export async function readSource(source: File | string, choices: ReadingChoices): Promise<SourceTable> {
  if (typeof source === 'string') return readText('', source, null, false, choices.delimiter);
  if (source.size > tableBytes) throw new TableFault('This file is too large for a table.');
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await source.arrayBuffer());
  } catch {
    throw new TableFault("We couldn't read this file.");
  }
  if (isZip(bytes)) return readWorkbook(source, choices.sheet);
  const decoded = decodeText(bytes, choices.encoding, navigator.language);
  if (decoded === null) throw new TableFault('This is not a table. Save yours as XLSX or CSV and try again.');
  return readText(source.name, decoded.text, decoded.encoding, decoded.isGuess, choices.delimiter);
}

const isZip = ([first, second, third]: Uint8Array) => first === 0x50 && second === 0x4b && third === 0x03;

function readText(
  name: string,
  text: string,
  encoding: Encoding | null,
  isGuess: boolean,
  chosen: Delimiter | null,
): SourceTable {
  const content = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(delimiterLine, '');
  const delimiter = chosen ?? delimiterOf(content);
  const lines = linesOf(content, delimiter);
  return withHeader({ name, lines, encoding, isGuess, delimiter, sheet: null, sheets: [] });
}

/** A sheet with products that are none of the seller's. */
const exampleSheet = /example|beispiel|exemple|esempio|ejemplo|範例|范例|サンプル/i;

/**
 * The cells of a sheet of a workbook: the one whose lines name the most columns, else the first. Marketplaces put
 * instructions and examples before the products.
 */
async function readWorkbook(file: File, chosen: string | null): Promise<SourceTable> {
  const { default: readSheets } = await loadPart(() => import('read-excel-file/browser'));
  let all: { sheet: string; data: readonly (readonly unknown[])[] }[];
  try {
    all = await readSheets(file);
  } catch {
    throw new TableFault('This workbook cannot be read. Save it as XLSX or CSV and try again.');
  }
  const sheets = all
    .map(({ sheet, data }) => ({ name: sheet, lines: data.map((row) => row.map(cellText)) }))
    .filter(({ lines }) => lines.some(hasText));
  if (sheets.length === 0) throw new TableFault('This table is empty.');
  const known = sheets.map(({ name, lines }) =>
    exampleSheet.test(name) ? 0 : Math.max(...lines.slice(0, headerLines).map(knownNames)),
  );
  const { name, lines } =
    sheets.find((sheet) => sheet.name === chosen) ?? sheets[known.indexOf(Math.max(...known))]!;
  return withHeader({
    name: file.name,
    lines: lines.map((cells, index) => ({ cells, number: index + 1, hasStrayQuote: false })),
    encoding: null,
    isGuess: false,
    delimiter: null,
    sheet: name,
    sheets: sheets.map((sheet) => sheet.name),
  });
}

const hasText = (cells: readonly string[]) => cells.some((cell) => cell.trim() !== '');

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}

/** @throws TableFault if there is nothing in it, or too much */
function withHeader(read: Omit<SourceTable, 'headerLine'>): SourceTable {
  const lines = read.lines.filter(({ cells }) => hasText(cells));
  if (lines.length === 0) throw new TableFault('This table is empty.');
  if (lines.length > mostLines) {
    throw new TableFault(
      `This table has ${lines.length.toLocaleString('en')} lines. One batch can have ${limits.batchRows} products: please split it.`,
    );
  }
  const table = { ...read, lines, headerLine: headerLineOf(lines.map(({ cells }) => cells)) };
  if (productLines(table).length === 0) throw new TableFault('There are no products below the first line.');
  return table;
}

/** The lines with products: below the names of the columns. */
export function productLines({ lines, headerLine }: SourceTable): readonly TableLine[] {
  if (headerLine === null) return lines;
  const header = lines[headerLine]!;
  const below = lines.slice(headerLine + 1);
  const explained = explainedLines(header, below[0]);
  if (explained > 0) return below.filter(({ number }) => number > header.number + explained);
  // In a template of Amazon there are the names for programs first, and an example.
  if (!below[0]?.cells.some((cell) => /#\d+\.\w+$/.test(cell))) return below;
  return below.slice(below[1]?.cells.some((cell) => cell.trim() === 'ABC123') ? 2 : 1);
}

/**
 * How many lines are between the names of columns for programs and the products, in the templates of Shopee and TikTok Shop:
 * one that says which template it is, the names for people, and what may be in the columns.
 */
function explainedLines({ cells: names }: TableLine, below: TableLine | undefined): number {
  const [first = '', second = '', third = ''] = below?.cells.map((cell) => cell.trim()) ?? [];
  const isShopee = names.filter((name) => /^(ps|et_title)_/.test(name)).length > 2;
  if (isShopee && /^[a-z_]+$/.test(first) && /^[\da-f]{8,}$/i.test(second)) return 5;
  return /^V\d[\d.]*$/.test(first) && /^(metric|imperial)$/i.test(third) ? 4 : 0;
}

/** Lines that tell the delimiter. */
const delimiterLines = 10;

/** The delimiter with which the first lines have the most columns whose names are known, else the most columns. */
function delimiterOf(content: string): Delimiter {
  const found = (Object.keys(delimiters) as Delimiter[]).map((delimiter) => {
    const lines = linesOf(content, delimiter, delimiterLines);
    const known = Math.max(...lines.map(({ cells }) => knownNames(cells)));
    return { delimiter, known, columns: lines[0]?.cells.length ?? 0 };
  });
  return found.reduce((best, each) =>
    each.known > best.known || (each.known === best.known && each.columns > best.columns) ? each : best,
  ).delimiter;
}

/**
 * The lines of a text. A quotation mark that is not closed, or closed in the middle of a cell, would take the lines behind
 * it along: then its line is read without regard to quotation marks, and marked.
 * @param most no more are read
 */
function linesOf(content: string, delimiter: Delimiter, most = Number.POSITIVE_INFINITY): TableLine[] {
  const lines: TableLine[] = [];
  const stray = new Set<number>();
  let [start, number] = [0, 1];
  while (start < content.length && lines.length < most) {
    const row = rowAt(content, start, delimiter, stray);
    const lineEnd = content.indexOf('\n', start);
    const end = row?.end ?? (lineEnd < 0 ? content.length : lineEnd);
    const text = content.slice(start, end);
    const cells = row?.cells ?? text.split(delimiter).map(unquoted);
    lines.push({ cells, number, hasStrayQuote: row === null });
    number += text.split('\n').length;
    start = end + 1;
  }
  return lines;
}

/**
 * The cells that begin at a place, up to the end of their line.
 * @param stray the places of quotation marks from which no line can be read, so that none is tried twice
 * @returns null if a quotation mark is not closed, or closed in the middle of a cell
 */
function rowAt(content: string, start: number, delimiter: Delimiter, stray: Set<number>) {
  const unquotedCell = new RegExp(`[^${delimiter}\n]*`, 'y');
  const afterQuote = new RegExp(`[^\\S\n]*?(?=[${delimiter}\n])`, 'y');
  const cells: string[] = [];
  const opened: number[] = [];
  for (let end = start; ; end += 1) {
    const first = end;
    if (content[first] === '"') {
      opened.push(first);
      const closed = stray.has(first) ? -1 : closingQuote(content, first);
      afterQuote.lastIndex = closed + 1;
      const isLast = closed === content.length - 1;
      if (closed < 0 || !(isLast || afterQuote.test(content))) {
        for (const place of opened) stray.add(place);
        return null;
      }
      end = isLast ? content.length : afterQuote.lastIndex;
      cells.push(content.slice(first + 1, closed).replaceAll('""', '"'));
    } else {
      unquotedCell.lastIndex = first;
      unquotedCell.test(content);
      end = unquotedCell.lastIndex;
      cells.push(content.slice(first, end));
    }
    if (content[end] !== delimiter) return { cells, end };
  }
}

/** The next quotation mark that is not written twice; -1 if there is none. */
function closingQuote(content: string, opening: number): number {
  let place = content.indexOf('"', opening + 1);
  while (place >= 0 && content[place + 1] === '"') place = content.indexOf('"', place + 2);
  return place;
}

/** A cell in quotation marks, without them. */
const unquoted = (cell: string) => /^"((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

/** A file in a sentence that begins with it. */
export const named = (name: string, message: string) =>
  name === '' ? message : `${isolateName(name)}: ${message}`;
