import { expect, it } from 'vitest';
import { automatic, groupPhotos } from './group-photos.ts';

const groups = (paths: readonly string[], pattern: string = automatic) =>
  groupPhotos(paths, pattern).map(({ sku, paths: ofGroup }) => [sku, ...ofGroup]);

it.each<[string, string[], string[][]]>([
  [
    'numbers after a hyphen',
    ['mug-2.jpg', 'mug-1.jpg', 'vase-1.jpg'],
    [
      ['mug', 'mug-1.jpg', 'mug-2.jpg'],
      ['vase', 'vase-1.jpg'],
    ],
  ],
  [
    'numbers in brackets, and the first photo without one',
    ['Cup (1).png', 'Cup (2).png', 'Cup.png'],
    [['Cup', 'Cup.png', 'Cup (1).png', 'Cup (2).png']],
  ],
  [
    'numbers with zeros',
    ['A-77_01.jpg', 'A-77_02.jpg', 'A-78_01.jpg'],
    [
      ['A-77', 'A-77_01.jpg', 'A-77_02.jpg'],
      ['A-78', 'A-78_01.jpg'],
    ],
  ],
  [
    'sizes are no numbers of photos',
    ['shirt-38.jpg', 'shirt-40.jpg'],
    [
      ['shirt-38', 'shirt-38.jpg'],
      ['shirt-40', 'shirt-40.jpg'],
    ],
  ],
  [
    'the end of a longer number is no number',
    ['SKU-101.jpg', 'SKU-102.jpg', 'SKU-200.jpg', 'B1000.jpg', 'A101-1.jpg', 'A101-2.jpg'],
    [
      ['A101', 'A101-1.jpg', 'A101-2.jpg'],
      ['B1000', 'B1000.jpg'],
      ['SKU-101', 'SKU-101.jpg'],
      ['SKU-102', 'SKU-102.jpg'],
      ['SKU-200', 'SKU-200.jpg'],
    ],
  ],
  [
    'names of cameras say nothing',
    [
      'IMG_4821.jpeg',
      'IMG_4822.jpeg',
      'DSC00012.jpg',
      '20240130_103207.jpg',
      'PXL_20240130.jpg',
      '1.jpg',
      '2.jpg',
    ],
    [
      ['', '1.jpg'],
      ['', '2.jpg'],
      ['', '20240130_103207.jpg'],
      ['', 'DSC00012.jpg'],
      ['', 'IMG_4821.jpeg'],
      ['', 'IMG_4822.jpeg'],
      ['', 'PXL_20240130.jpg'],
    ],
  ],
  [
    'numbers of products are SKUs: EANs, article numbers, and those with few letters',
    [
      '4006381333931-1.jpg',
      '4006381333931-2.jpg',
      '10023_1.jpg',
      '10023_2.jpg',
      'P1001-1.jpg',
      'P1001-2.jpg',
      'E1234 red mug.jpg',
      '10077.jpg',
    ],
    [
      ['10023', '10023_1.jpg', '10023_2.jpg'],
      ['10077', '10077.jpg'],
      ['4006381333931', '4006381333931-1.jpg', '4006381333931-2.jpg'],
      ['E1234 red mug', 'E1234 red mug.jpg'],
      ['P1001', 'P1001-1.jpg', 'P1001-2.jpg'],
    ],
  ],
  [
    'other names of cameras say nothing',
    [
      '_MG_4821.jpg',
      '2024-01-30 10.32.07.jpg',
      '20240130.jpg',
      'P1010023.jpg',
      '100_1234.jpg',
      'IMG_E4821.HEIC',
      'IMG-20240130-WA0001.jpg',
      'image.jpg',
    ],
    [
      ['', '_MG_4821.jpg'],
      ['', '100_1234.jpg'],
      ['', '2024-01-30 10.32.07.jpg'],
      ['', '20240130.jpg'],
      ['', 'image.jpg'],
      ['', 'IMG_E4821.HEIC'],
      ['', 'IMG-20240130-WA0001.jpg'],
      ['', 'P1010023.jpg'],
    ],
  ],
  [
    'one name for all of many photos is as many products',
    ['p/product-1.png', 'p/product-2.png', 'p/product-3.png', 'p/product-4.png', 'p/product-5.png'],
    [1, 2, 3, 4, 5].map((n) => [`product-${n}`, `p/product-${n}.png`]),
  ],
  [
    'folders are different products',
    ['a/mug-1.jpg', 'a/mug-2.jpg', 'b/mug-1.jpg'],
    [
      ['mug', 'a/mug-1.jpg', 'a/mug-2.jpg'],
      ['mug', 'b/mug-1.jpg'],
    ],
  ],
])('%s', (_, paths, expected) => {
  expect(groups(paths)).toEqual(expected);
});

it('more photos than an image may have stay together, so that the seller sees them', () => {
  const soap = [1, 2, 3, 4, 5, 6].map((n) => `SOP_${n}.jpg`);
  expect(groups([...soap, 'MUG_1.jpg'])).toEqual([
    ['MUG', 'MUG_1.jpg'],
    ['SOP', ...soap],
  ]);
});

it('a pattern of the seller decides', () => {
  expect(groups(['A-1.jpg', 'A-2.jpg'], '{sku}')).toEqual([
    ['A-1', 'A-1.jpg'],
    ['A-2', 'A-2.jpg'],
  ]);
  expect(groups(['A-1.jpg', 'a-2.jpg', 'x.jpg'], '{sku}-{n}')).toEqual([
    ['A', 'A-1.jpg', 'a-2.jpg'],
    ['', 'x.jpg'],
  ]);
  expect(groups(['shop/MUG/1.jpg', 'shop/MUG/2.jpg', 'shop/CUP/9.jpg'], '{folder}')).toEqual([
    ['CUP', 'shop/CUP/9.jpg'],
    ['MUG', 'shop/MUG/1.jpg', 'shop/MUG/2.jpg'],
  ]);
  expect(groups(['front_MUG.jpg', 'back_MUG.jpg'], '{any}_{sku}')).toEqual([
    ['MUG', 'back_MUG.jpg', 'front_MUG.jpg'],
  ]);
  expect(groupPhotos(['x.jpg'], '{sku}_{n}')).toEqual([{ sku: '', paths: ['x.jpg'] }]);
});

it.each(['(', '{n}', '[', '', '{sku', '{sku}{sku}'])('the pattern %j breaks nothing', (pattern) => {
  expect(groupPhotos(['a(1).jpg'], pattern)).toHaveLength(1);
});
