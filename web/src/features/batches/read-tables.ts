import { isolateName, limits } from '#contract';
import { parseTable, TableFault } from './parse-table.ts';
import type { RowCells } from './table-row.ts';

/** Bytes of the largest table; 500 rows with the longest texts are smaller. */
const tableBytes = limits.batchBytes;

/**
 * Reads tables that were chosen, dropped or pasted.
 * @param room how many rows there may be in all of them
 * @returns their rows, why tables could not be used, and what was left out, in words
 */
export async function readTables(
  sources: readonly (File | string)[],
  room: number,
): Promise<{ rows: RowCells[]; faults: string[]; hints: string[] }> {
  const rows: RowCells[] = [];
  const faults: string[] = [];
  const hints: string[] = [];
  for (const source of sources) {
    try {
      const table = parseTable(await textOf(source));
      if (rows.length + table.rows.length > room) {
        throw new TableFault(`With this table there would be more than ${limits.batchRows} rows.`);
      }
      rows.push(...table.rows);
      hints.push(...table.hints);
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      faults.push(source instanceof File ? `${isolateName(source.name)}: ${error.message}` : error.message);
    }
  }
  return { rows, faults, hints };
}

/** @throws TableFault */
async function textOf(source: File | string): Promise<string> {
  if (typeof source === 'string') return source;
  if (source.size > tableBytes) throw new TableFault('This file is too large for a table.');
  let bytes: ArrayBuffer;
  try {
    bytes = await source.arrayBuffer();
  } catch {
    throw new TableFault("We couldn't read this file.");
  }
  const text = decodeText(new Uint8Array(bytes));
  if (text === null) throw new TableFault('This is not a CSV file. Save your table as CSV and try again.');
  return text;
}

/** Control characters that no table contains: the file is something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The text of a file: UTF-8, UTF-16 if it begins with its mark, else Windows-1252, which spreadsheets for Windows write.
 * @returns null if the file is no text
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decode(bytes);
  return binary.test(text) ? null : text;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
