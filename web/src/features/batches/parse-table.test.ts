import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract';
import { parseTable, TableFault, unparseTable } from './parse-table.ts';
import { decodeText } from './read-tables.ts';
import { sampleTable } from './sample-table.ts';
import { columns, emptyCells, type RowCells } from './table-row.ts';

const seed = Math.floor(Math.random() * 2 ** 31);

describe('a table', () => {
  it('may have its columns in any order, in upper or lower case, and lack some of them', () => {
    expect(parseTable('Scene,SKU,Photos\nOn oak,A-1,a.jpg;b.jpg').rows).toEqual([
      { ...emptyCells, scene: 'On oak', sku: 'A-1', photos: ['a.jpg', 'b.jpg'] },
    ]);
  });

  it.each([
    ['commas', 'sku,photos,scene\nA,"a.jpg;b.jpg","On oak, in the sun"'],
    ['semicolons', 'sku;photos;scene\nA;a.jpg,b.jpg;On oak, in the sun'],
    ['tabs, as it is pasted', 'sku\tphotos\tscene\nA\ta.jpg|b.jpg\tOn oak, in the sun'],
    [
      'the line that tells Excel the delimiter',
      'sep=;\r\nsku;photos;scene\r\nA;a.jpg,b.jpg;On oak, in the sun\r\n',
    ],
    ['a byte order mark', '\ufeffsku,photo1,photo2,scene\nA,a.jpg,b.jpg,"On oak, in the sun"'],
  ])('may have %s', (_, text) => {
    expect(parseTable(text)).toEqual({
      rows: [{ ...emptyCells, sku: 'A', photos: ['a.jpg', 'b.jpg'], scene: 'On oak, in the sun' }],
      hints: [],
    });
  });

  it('may have quoted line breaks, and empty lines', () => {
    const { rows } = parseTable('sku,scene\r\n\r\nA,"On oak\r\nin the sun"\r\n,\r\nB,"say ""hi"""\r\n');
    expect(rows.map(({ scene }) => scene)).toEqual(['On oak\nin the sun', 'say "hi"']);
  });

  it('keeps formulas as text', () => {
    const formula = `=cmd|' /C calc'!A0`;
    expect(parseTable(`sku,name,scene\n"${formula}",@SUM(1),-1+1`).rows).toEqual([
      { ...emptyCells, sku: formula, name: '@SUM(1)', scene: '-1+1' },
    ]);
  });

  it('names columns that it does not know, and rows with too many cells', () => {
    expect(parseTable('sku,price,scene,stock\nA,1,On oak, in the sun,5').hints).toEqual([
      'These columns were left out: “price”, “stock”.',
      'More cells than columns in row 1: put texts that contain the separator in quotation marks.',
    ]);
  });

  it('has at most 500 rows', () => {
    const rows = (count: number) => `sku\n${'A\n'.repeat(count)}`;
    expect(parseTable(rows(limits.batchRows)).rows).toHaveLength(500);
    expect(() => parseTable(rows(limits.batchRows + 1))).toThrow(
      new TableFault('This table has 501 rows. One batch can have 500: please split it.'),
    );
  });

  it.each([
    ['', 'This table is empty.'],
    ['\ufeff \r\n', 'This table is empty.'],
    ['sku,name\n', 'There are no products below the first line.'],
    ['Mug,Oak\nVase,Oak', `The first line must name the columns: ${columns.join(', ')}.`],
    [
      'sku,scene\nA,"On oak\nB,On slate',
      'A quotation mark in this table is not closed. Save it again as CSV and try again.',
    ],
  ])('%j is refused in words', (text, message) => {
    expect(() => parseTable(text)).toThrow(new TableFault(message));
  });

  it('that can be downloaded as a sample is read without a hint', () => {
    const { rows, hints } = parseTable(sampleTable());
    expect(hints).toEqual([]);
    expect(rows).toHaveLength(3);
  });
});

describe('the bytes of a file', () => {
  const text = 'sku;name\r\nA;Käse für 5 €';
  const windows1252 = Uint8Array.from(text, (letter) => (letter === '€' ? 0x80 : letter.charCodeAt(0)));
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['Windows-1252', windows1252],
    ['UTF-16', utf16],
    ['UTF-16 of the other byte order', Buffer.from(utf16).swap16()],
  ])('may be %s', (_, bytes) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it('are no text if they are those of a picture or a spreadsheet', () => {
    expect(decodeText(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]))).toBeNull();
    expect(decodeText(Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]))).toBeNull();
  });
});

it(`any table that is written is read the same (seed ${seed})`, () => {
  const cell = fc
    .string({ unit: fc.constantFrom(...'aB7 ,;\t|"\'\n=+-@€ä😀\ufeff'), maxLength: 12 })
    .map((text) => text.trim());
  const photo = fc.string({ unit: fc.constantFrom(...'aB7 ."\'=-€ä'), minLength: 1, maxLength: 8 });
  const row: fc.Arbitrary<RowCells> = fc.record({
    // Lines without any text are left out.
    sku: fc.stringMatching(/^[A-Z0-9=@-]{1,8}$/),
    name: cell,
    photos: fc.array(
      photo.map((name) => name.trim()).filter((name) => name !== ''),
      { maxLength: 4 },
    ),
    scene: cell,
    look: cell,
    template: cell,
    size: cell,
    takes: cell,
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
      expect(parseTable(unparseTable(rows)).rows).toEqual(rows);
    }),
    { seed, numRuns: 500 },
  );
});
