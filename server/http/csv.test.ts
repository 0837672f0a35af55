import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

/** The text of a cell as it is written, without the quotation marks of CSV. */
const written = (cell: string | number) => {
  const { data } = Papa.parse<string[]>(csvOf([{ first: 'a', cell, last: 'b' }]).slice(1));
  return data[1]![1];
};

test.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(1)', "'@SUM(1)"],
  // Japanese Excel reads full width as the usual signs.
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['﹦1', "'﹦1"],
  ['⁼1', "'⁼1"],
  ['−1+1', "'−1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x; ＝1+1;y', "x; '＝1+1;y"],
  // Papa Parse itself leaves out a formula that is followed by a new line.
  ['=1+1\nnote', "'=1+1\nnote"],
  ['note\n=1+1', "note\n'=1+1"],
  ['note\r=1+1', "note\r'=1+1"],
  [' =1+1', " '=1+1"],
  ['\u00a0=1+1', "\u00a0'=1+1"],
  ['\ufeff=1+1', "\ufeff'=1+1"],
  ['\u200b=1+1', "\u200b'=1+1"],
  ['\u0000=1+1', "\u0000'=1+1"],
  ['\t=1+1', "\t'=1+1"],
  ['x;"=1+1"', 'x;"\'=1+1"'],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['-5;=1', "'-5;'=1"],
  ['+49 170 123', "'+49 170 123"],
])('%j is written as %j', (cell, expected) => {
  expect(written(cell)).toBe(expected);
});

test.each([
  '-5',
  '+5',
  '-5.20',
  '-5,2',
  '1e-5',
  '-1E+5',
  'Mug, -20 %',
  'a=b',
  'A-1',
  'x;y',
  'x; -5',
  '"a"',
  '',
  "'=1",
])('%j stays as it is', (cell) => {
  expect(written(cell)).toBe(cell);
});

test('a number stays one', () => {
  expect(csvOf([{ a: -5, b: '-5', c: 'x' }])).toBe('\ufeff"a","b","c"\r\n-5,"-5","x"\r\n');
});

/** Whether a spreadsheet would execute a cell: it trims white space and reads full width as the usual signs. */
function isExecuted(cell: string): boolean {
  const text = cell.replace(/^[\s\p{C}"]+/u, '').normalize('NFKC');
  // A number, and perhaps the rest of a line that this spreadsheet does not split.
  const isNumber = /^[+-]\d+(?:[.,]\d+)?(?:e[+-]?\d+)?\s*(?:[",]|$)/i.test(text);
  return /^[=+\-@−]/.test(text) && !isNumber;
}
const nasty = fc.string({
  unit: fc.constantFrom(...'=+-@＝＠;,\t\r\n"\' \u00a0\ufeff\u200b1aé|'),
  maxLength: 12,
});

test('no spreadsheet finds a formula in any text, whatever it splits lines at', () => {
  fc.assert(
    fc.property(nasty, nasty, (first, second) => {
      const csv = csvOf([{ first, number: -5, second, last: 'end' }]);
      const [, row] = Papa.parse<string[]>(csv.slice(1)).data;
      expect(row).toHaveLength(4);
      const semicolons = Papa.parse<string[]>(csv.slice(1), { delimiter: ';' }).data;
      const tabs = Papa.parse<string[]>(csv.slice(1), { delimiter: '\t' }).data;
      // One that knows no quotation marks within a line.
      const plain = csv.split(/[;\t\r\n]/);
      expect([row!, ...semicolons, ...tabs, plain].flat().filter(isExecuted)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});
