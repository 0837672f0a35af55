import { Readable } from 'node:stream';

/** A value as indented JSON. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A JSON array that is written while its rows are read. @param present converts a row to what is written */
export function jsonList<Row>(rows: AsyncIterable<Row>, present: (row: Row) => unknown): Readable {
  async function* text() {
    let before = '[\n';
    for await (const row of rows) {
      yield before + JSON.stringify(present(row), null, 2);
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  }
  return Readable.from(text());
}
