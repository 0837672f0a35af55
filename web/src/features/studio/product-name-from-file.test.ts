import { expect, it } from 'vitest';
import { limits } from '#contract';
import { automaticName, productNameFromFile } from './product-name-from-file.ts';

it.each([
  ['coffee-cup.png', 'Coffee cup'],
  ['red_coffee-cup (1).JPG', 'Red coffee cup'],
  ['C:\\fakepath\\Élégant.vase.webp', 'Élégant vase'],
  ['../../etc/oak table.tiff', 'Oak table'],
  ['Pink lamp.jpeg', 'Pink lamp'],
  ['Nike Air 90.png', 'Nike Air 90'],
])('suggests a name for %s', (fileName, name) => {
  expect(productNameFromFile(fileName)).toBe(name);
});

it.each([
  'IMG_2041.jpg',
  'DSC00012.JPG',
  'PXL_20260401_101010123.jpg',
  'image.png',
  'Screenshot 2026-04-01 at 10.10.10.png',
  '20260401_101010.jpg',
  '8f14e45fceea167a5a36dedd4bea2543.png',
  '.png',
])('suggests nothing for %s', (fileName) => {
  expect(productNameFromFile(fileName)).toBe('');
});

it('stays within the limit of the contract', () => {
  expect(productNameFromFile(`${'cup '.repeat(100)}.png`).length).toBeLessThanOrEqual(
    limits.productNameCharacters,
  );
});

it('takes the name of the first photo that has one', () => {
  const photos = (...names: string[]) => names.map((name) => ({ file: { name } }));
  expect(automaticName(photos('red_cup.png', 'blue_vase.png'))).toBe('Red cup');
  expect(automaticName(photos('IMG_1234.jpg', 'blue_vase.png'))).toBe('Blue vase');
  expect(automaticName(photos('IMG_1234.jpg'))).toBe('');
  expect(automaticName([])).toBe('');
});
