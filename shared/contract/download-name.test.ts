import { expect, test } from 'vitest';
import { batchFileName, downloadName, exportName } from './download-name.ts';

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
