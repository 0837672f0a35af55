import { expect, test } from 'vitest';
import { chooseEncoding, type Encoding } from './encodings.ts';

const cases: [header: string | undefined, expected: Encoding][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br ; q = 0, gzip;q=0.000', 'identity'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['zstd', 'identity'],
  [',;,;q=', 'identity'],
];

for (const [header, expected] of cases) {
  test(`accept-encoding ${header} gets ${expected}`, () => {
    expect(chooseEncoding(header)).toBe(expected);
  });
}
