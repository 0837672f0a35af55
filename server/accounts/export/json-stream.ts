import { Readable } from 'node:stream';

/** A value as JSON that people can read. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A list as JSON, written while its rows are read. @param present what is shown of a row */
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
