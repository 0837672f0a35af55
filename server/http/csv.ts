import type { FastifyReply } from 'fastify';
import Papa from 'papaparse';
import type { CsvDelimiter } from '#contract';
import { attachment } from './attachment.ts';

/** Where some spreadsheets split a line, or end it, even within quotation marks. */
const separators = /([;\t\r\n\v\f\u0085\u2028\u2029])/;
/** What spreadsheets skip before a formula: white space, invisible characters, quotation marks. */
const skipped = /^[\s\p{C}"]*/u;
/** The first characters of a formula, and those that a spreadsheet reads as one of them (full width, small, raised). */
const formulaSigns = /^[=+\-@\u2212]/;
const plainNumber = /^[+-]?\d{1,15}(?:[.,]\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * A table as CSV with a byte order mark, so that spreadsheets read it as UTF-8, whose texts no spreadsheet executes: before
 * each place where a formula could begin there is an apostrophe. Numbers stay numbers.
 * @param rows with the same names of columns; the first one gives the header
 * @param delimiter a semicolon for spreadsheets of languages that write fractions with a comma
 */
export function csvOf(
  rows: readonly Readonly<Record<string, string | number>>[],
  delimiter: CsvDelimiter = ',',
): string {
  const cells = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, safeCell(value)])),
  );
  const options = { quotes: (value: unknown) => typeof value === 'string', newline: '\r\n', delimiter };
  return `\uFEFF${Papa.unparse(cells, options)}\r\n`;
}

/** Sends a table as a file. @param fileName with its ending @param text as {@link csvOf} gives it */
export const sendCsv = (reply: FastifyReply, fileName: string, text: string) =>
  reply
    .type('text/csv; charset=utf-8')
    .headers({ 'content-disposition': attachment(fileName), 'cache-control': 'no-store' })
    .send(Buffer.from(text));

function safeCell(value: string | number): string | number {
  if (typeof value === 'number') return value;
  const parts = value.split(separators);
  return parts.map((part, index) => safePart(part, index === parts.length - 1)).join('');
}

/**
 * @param part of a text, as a spreadsheet may make it a cell of its own
 * @param isLast of its text: another one that is a number may be followed by more, where lines are not split
 */
function safePart(part: string, isLast: boolean): string {
  const start = skipped.exec(part)![0].length;
  const rest = part.slice(start);
  if (isLast && plainNumber.test(rest.trim())) return part;
  return formulaSigns.test(rest.slice(0, 2).normalize('NFKC')) ? `${part.slice(0, start)}'${rest}` : part;
}
