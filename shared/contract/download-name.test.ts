import { expect, test } from 'vitest';
import { createRandom } from '#tests/support/random.ts';
import { batchFileName, downloadName, exportName, fileNamePart } from './download-name.ts';

test.each([
  ['Coffee cup', 'Coffee-cup-2026-03-07.png'],
  ['', 'product-2026-03-07.png'],
  ['../../etc/passwd', 'etc-passwd-2026-03-07.png'],
  ['a:b*c?"d"<e>|f', 'a-b-c-d-e-f-2026-03-07.png'],
  ['Tasse Ø 8 cm – blå', 'Tasse-Ø-8-cm-blå-2026-03-07.png'],
  ['...', 'product-2026-03-07.png'],
  ['杯子', '杯子-2026-03-07.png'],
  ['  -- Cup --  ', 'Cup-2026-03-07.png'],
  ['v1.2_final', 'v1.2_final-2026-03-07.png'],
  ['NUL', '_NUL-2026-03-07.png'],
  ['con.mug', '_con.mug-2026-03-07.png'],
  ['Console', 'Console-2026-03-07.png'],
])('names the download of %j', (productName, name) => {
  expect(downloadName(productName, '2026-03-07T23:59:00.000Z')).toBe(name);
});

test('a photo keeps its extension', () => {
  expect(downloadName('Cup', '2026-03-07T23:59:00.000Z', 'jpg')).toBe('Cup-2026-03-07.jpg');
});

test.each(['杯', 'é', 'a', '👩‍👩‍👧', 'ä'])('a name of many %s fits into a file system', (character) => {
  const name = downloadName(`x${character.repeat(400)}`, '2026-03-07T23:59:00.000Z');
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
  expect(encodeURIComponent(name)).not.toBe('');
});

test('a suffix is not cut off, however long the name is', () => {
  const file = { sku: 'x'.repeat(100), name: '杯'.repeat(200), place: 1, preset: 'ebay' };
  const asked = { ...file, askedAt: '2026-03-07T23:59:00.000Z' };
  for (const pattern of ['{product}-{preset}', '{sku}', '{sku}{product}{asin}']) {
    expect(exportName(pattern, asked, 'jpg', '-12')).toMatch(/-12\.jpg$/);
    expect(batchFileName(pattern, { ...file, row: 1, n: 1 }, 'jpg', '-12')).toMatch(/-12\.jpg$/);
  }
});

const bytesOf = (name: string) => new TextEncoder().encode(name).length;
/** A seller's title as marketplaces want it. */
const title =
  'Handmade ceramic coffee mug, 350 ml, dishwasher safe, matte glaze, speckled, gift for colleagues';

test('files of a long name are told apart by what follows it', () => {
  const file = { sku: '', name: title, place: 2, preset: 'amazon-main', askedAt: '2026-03-07T23:59:00.000Z' };
  const usual = ['amazon-main', 'etsy', 'ebay'].map((preset) =>
    exportName('{product}-{preset}-{date}', { ...file, preset }, 'jpg'),
  );
  expect(usual).toEqual([
    expect.stringMatching(/^Handmade-.*-colleagues-amazon-main-2026-03-07\.jpg$/),
    expect.stringMatching(/^Handmade-.*-colleagues-etsy-2026-03-07\.jpg$/),
    expect.stringMatching(/^Handmade-.*-colleagues-ebay-2026-03-07\.jpg$/),
  ]);
  const inBatch = { ...file, row: 1, n: 2 };
  expect(batchFileName('{asin}.{amazon}', inBatch, 'jpg')).toMatch(/\.PT01\.jpg$/);
  expect(batchFileName('{name}-{n}', inBatch, 'png')).toMatch(/-2\.png$/);
  const sku = 'SKU-'.padEnd(99, '0');
  expect(batchFileName('{sku}-{n}', { ...inBatch, sku: `${sku}1` }, 'png')).toBe(`${sku}1-2.png`);
});

/** What sellers write, and what they do not mean to write: marks, pairs of surrogates, joined letters, reserved names. */
const letters = [
  'a',
  'B',
  ' ',
  '-',
  '.',
  '杯',
  'é',
  'e\u0301',
  '𠮷',
  'க்',
  '🧿',
  '/',
  '"',
  '\u202f',
  'Ä',
  '7',
];
const patterns = [
  '{product}-{preset}-{date}',
  '{name}-{n}',
  '{asin}.{amazon}',
  '{sku}_{preset}_{n}',
  '{sku}-{product}-{name}-{asin}-{preset}-{n}',
  '{row}~{sku} of the shop {name}({n})',
  `${'杯'.repeat(90)}-{n}`,
  '{sku}'.repeat(20),
  '{n}杯'.repeat(25),
];

test('every name fits, ends with what follows its texts, and is cut between characters', () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.info(`names of files: seed ${seed}`);
  const random = createRandom(seed);
  const text = (most: number) =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(letters)).join('');
  for (let count = 0; count < 500; count += 1) {
    const file = {
      sku: random.pick(['', text(100), 'x'.repeat(100), '杯'.repeat(100)]),
      name: random.pick(['', text(200), title, '𠮷'.repeat(100), 'e\u0301'.repeat(100)]),
      place: random.between(1, 250),
      preset: random.pick(['', 'amazon-secondary', fileNamePart(text(60), 'preset')]),
      askedAt: '2026-03-07T23:59:00.000Z',
      row: random.between(1, 1_000),
      n: random.between(1, 4),
    };
    const pattern = random.pick(patterns);
    const suffix = random.pick(['', '-2', '-1000']);
    const said = `${seed}: ${pattern} ${JSON.stringify(file)}`;
    for (const [name, n] of [
      [exportName(pattern, file, 'jpg', suffix), file.place],
      [batchFileName(pattern, file, 'jpg', suffix), file.n],
    ] as const) {
      expect(bytesOf(name), said).toBeLessThanOrEqual(215);
      // Neither is a half of a pair of surrogates.
      expect(name, said).not.toMatch(/[^\p{L}\p{M}\p{N} ._-]|\s|^[.-]/u);
      expect(name, said).toMatch(new RegExp(`${suffix}\\.jpg$`));
      if (/\{n\}$/.test(pattern)) expect(name, said).toMatch(new RegExp(`(^|\\D)${n}${suffix}\\.jpg$`));
      if (pattern.endsWith('{amazon}')) expect(name, said).toMatch(/(MAIN|PT\d{2,3})(-\d+)?\.jpg$/);
    }
    // A mark stays with its letter: what is cut ends before the letter or after the mark.
    const decomposed = exportName('{product}~{n}', { ...file, name: 'e\u0301'.repeat(100) }, 'jpg');
    expect(decomposed).toMatch(/^(e\u0301)+-\d+\.jpg$/);
  }
});

test('the texts of a name share what room there is', () => {
  const file = { sku: 'MUG-1', name: '杯'.repeat(200), place: 1, preset: '', row: 1, n: 1 };
  const name = batchFileName('{name}-{sku}-{n}', file, 'png');
  expect(name).toMatch(/^杯+-MUG-1-1\.png$/);
  expect(bytesOf(name)).toBeGreaterThan(205);
});

const mug = { asin: 'B000123456', sku: 'MUG-1', name: 'Mug', place: 1, preset: '' };

test.each([
  [mug, '{asin}.{amazon}', 'B000123456.MAIN.jpg'],
  [{ ...mug, place: 2 }, '{asin}.{amazon}', 'B000123456.PT01.jpg'],
  [{ ...mug, asin: undefined }, '{asin}.{amazon}', 'MUG-1.MAIN.jpg'],
  [{ ...mug, asin: undefined, sku: '' }, '{asin}.{amazon}', 'Mug.MAIN.jpg'],
  // Windows keeps COM¹ as it keeps COM1.
  [{ ...mug, sku: 'com¹' }, '{sku}', '_com¹.jpg'],
  [{ ...mug, sku: 'a/b:c', preset: 'ebay' }, '{sku}_{preset}', 'a-b-c_ebay.jpg'],
])('names an exported file and one of a batch of %j by %s', (file, pattern, name) => {
  expect(exportName(pattern, { ...file, askedAt: '2026-03-07T23:59:00.000Z' }, 'jpg')).toBe(name);
  expect(batchFileName(pattern, { ...file, row: 3, n: 4 }, 'jpg')).toBe(name);
});

test('a take and a row have their own numbers', () => {
  expect(batchFileName('{sku}-{row}-{n}', { ...mug, row: 3, n: 4 }, 'png')).toBe('MUG-1-3-4.png');
});
