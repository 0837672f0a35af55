import { expect, it } from 'vitest';
import { defaultOptions, imageOptionsOf, imageSizeNames, type LookView } from '#contract';
import { createPhotoIndex, type DroppedPhoto, isPhotoName } from './photo-index.ts';
import { countSkus, readRow, type TableContext } from './read-row.ts';
import { emptyCells, type TableRow } from './table-row.ts';
import type { AddressState } from './use-addresses.ts';

function dropped(path: string, bytes = 3): DroppedPhoto {
  return { path, file: new File([new Uint8Array(bytes)], path), url: '' };
}

const oak: LookView = {
  id: 'look',
  name: 'Oak',
  scene: 'On oak',
  template: 'Product on Wooden Table',
  ...defaultOptions,
  negativePrompt: 'people',
  width: 1_024,
  height: 1_536,
  style: 'editorial',
  numImages: 3,
  exportPresets: [],
  pictureUrl: null,
  createdAt: '',
  updatedAt: '',
};

const photos = ['shop/Mug-1.JPG', 'shop/mug-2.jpg', 'shop/a/vase.png', 'shop/b/vase.png'].map((path) =>
  dropped(path),
);
const context: TableContext = {
  photos: createPhotoIndex([...photos, dropped('empty.png', 0)]),
  looks: [oak],
  capabilities: { sizes: [...imageSizeNames], transparentBackground: true, seed: true, mask: true },
  mayUse2k: false,
  addresses: new Map(),
  skuCounts: new Map(),
};
const row = (cells: Partial<TableRow>): TableRow => ({
  id: '1',
  fromPhotos: false,
  ...emptyCells,
  photos: ['mug-1.jpg'],
  scene: 'On slate',
  ...cells,
});
const read = (cells: Partial<TableRow>) => readRow(row(cells), context);

it('finds photos by name: with or without folder and extension, in upper or lower case', () => {
  for (const name of ['mug-1.jpg', 'MUG-1', 'shop/mug-1.jpg', '.\\shop\\mug-1', 'Shop/Mug-1.JPG']) {
    expect(read({ photos: [name] })).toMatchObject({ faults: {}, photos: [{ path: 'shop/Mug-1.JPG' }] });
  }
  expect(read({ photos: ['b/vase'] }).photos).toMatchObject([{ path: 'shop/b/vase.png' }]);
});

it.each([
  [{ photos: [] }, { photos: 'Add a photo.' }],
  [{ photos: ['mug-3.jpg'] }, { photos: 'Photo mug-3.jpg is missing.' }],
  [{ photos: ['mug-1.jpg', 'x.png', 'y'] }, { photos: 'Photos x.png, y are missing.' }],
  [{ photos: ['vase.png'] }, { photos: 'Several photos are called vase.png. Add the folder to the name.' }],
  [{ photos: ['empty'] }, { photos: 'Photo empty.png is empty.' }],
  [{ photos: ['1', '2', '3', '4', '5'] }, { photos: 'A row can have at most 4 photos.' }],
  [{ scene: '' }, { scene: 'Describe the scene, or choose a look.' }],
  [{ scene: 'a'.repeat(4_001) }, { scene: 'A scene must be plain text of at most 4,000 characters.' }],
  [{ scene: '', look: 'Beech' }, { look: 'There is no look named “Beech”.' }],
  [{ template: 'Beech' }, { template: 'There is no template named “Beech”.' }],
  [
    { size: '5x5' },
    {
      size: 'There is no size “5x5”. Choose one of square, portrait-4-5, portrait, portrait-9-16, landscape, landscape-16-9, square-2k.',
    },
  ],
  [{ size: '2048x2048' }, { size: '2048 × 2048 is not part of your plan.' }],
  [{ takes: '5' }, { takes: 'Choose 1 to 4 takes.' }],
  [{ takes: 'two' }, { takes: 'Choose 1 to 4 takes.' }],
  [{ name: 'a'.repeat(201) }, { name: 'A name must be plain text of at most 200 characters.' }],
  [{ sku: '4.00638E+12' }, { sku: 'A spreadsheet has shortened this number. Type it in full.' }],
  [{ sku: 'a'.repeat(101) }, { sku: 'A SKU must be plain text of at most 100 characters.' }],
])('%j is named at its cell', (cells, faults) => {
  expect(read(cells).faults).toEqual(faults);
});

it('asks for what the row says, else its look, else the defaults', () => {
  expect(read({ sku: 'A', name: 'Mug' }).request).toEqual({
    ...defaultOptions,
    sku: 'A',
    name: 'Mug',
    prompt: 'On slate',
    takes: 1,
  });
  expect(read({ scene: '', look: 'oak' }).request).toEqual({
    sku: '',
    name: '',
    prompt: 'Product on Wooden Table: On oak',
    ...imageOptionsOf(oak),
    takes: 3,
  });
  expect(
    read({ look: 'OAK', template: 'outdoor natural lighting', size: 'Landscape', takes: '2' }).request,
  ).toMatchObject({
    prompt: 'Outdoor Natural Lighting: On slate',
    style: 'editorial',
    width: 1_536,
    height: 1_024,
    takes: 2,
  });
  expect(read({ size: '1024x1536' }).request).toMatchObject({ width: 1_024, height: 1_536 });
});

it.each(['2', '2.0', '2,0', '２', '٢'])('%s is two images', (takes) => {
  expect(read({ takes })).toMatchObject({ faults: {}, request: { takes: 2 } });
});

it.each([
  ['a comma', 'mug, blue.jpg', 'shop/mug, blue.jpg'],
  ['a narrow space before AM', 'Screenshot 10.32.07 AM.png', 'Screenshot 10.32.07\u202fAM.png'],
  ['a no-break space', 'mug\u00a0blue.jpg', 'mug blue.jpg'],
  ['letters with marks taken apart', 'caf\u00e9.jpg', 'cafe\u0301.jpg'],
  ['another ending', 'mug.jpg', 'mug.jfif'],
  ['another ending', 'IMG_1.jpeg', 'IMG_1.HEIC'],
  ['a path of Windows', 'C:\\Users\\Pia\\Photos\\mug.jpg', 'mug.jpg'],
])('a photo is found by a name with %s', (_, name, path) => {
  const found = readRow(row({ photos: [name] }), { ...context, photos: createPhotoIndex([dropped(path)]) });
  expect(found).toMatchObject({ faults: {}, photos: [{ path }] });
});

it('a photo that is fetched from its address is waited for, or it is said why it cannot be', () => {
  const [arrived, coming, gone] = ['a', 'b', 'c'].map((name) => `https://shop.example/${name}.jpg`) as [
    string,
    string,
    string,
  ];
  const withAddresses: TableContext = {
    ...context,
    photos: createPhotoIndex([dropped(arrived)]),
    addresses: new Map<string, AddressState>([
      [coming, 'fetching'],
      [gone, { fault: 'It answered 404.' }],
    ]),
  };
  const faultsOf = (names: string[]) => readRow(row({ photos: names }), withAddresses).faults;
  expect(faultsOf([arrived])).toEqual({});
  expect(faultsOf([arrived, coming])).toEqual({ photos: 'Its photos are being fetched.' });
  expect(faultsOf([arrived, coming, gone])).toEqual({ photos: 'It answered 404.' });
});

it('an address means only the photo that was fetched from it, whatever else has the same name', () => {
  const addresses = ['101/main.jpg', '102/main.jpg', '103/main.jpg', '102/Main.jpg?v=2'].map(
    (end) => `https://shop.example/products/${end}`,
  );
  const index = createPhotoIndex([...addresses, 'main.jpg', 'folder/back.jpg'].map((path) => dropped(path)));
  for (const path of addresses) expect(index.find(path)).toMatchObject({ path });
  for (const end of ['104/main.jpg', '102/main.jpg?v=2', '102/main', 'folder/back.jpg']) {
    expect(index.find(`https://shop.example/products/${end}`)).toBeNull();
  }
  // And a name means no photo of an address.
  expect(index.find('main.jpg')).toMatchObject({ path: 'main.jpg' });
  expect(index.find('102/main.jpg')).toMatchObject({ path: 'main.jpg' });
});

it('marks the SKU of rows that have the same one', () => {
  const skuCounts = countSkus([row({ sku: 'A' }), row({ sku: 'A' }), row({ sku: 'B' }), row({}), row({})]);
  const notesOf = (sku: string) => readRow(row({ sku }), { ...context, skuCounts }).notes;
  expect(notesOf('A')).toEqual({ sku: 'Another row has the same SKU.' });
  expect(notesOf('B')).toEqual({});
  expect(notesOf('')).toEqual({});
});

it('knows photos of a folder by their names', () => {
  expect(
    ['a/B.JPG', 'c.tiff', 'Save as.jfif', 'IMG_1.HEIC', '.DS_Store', '._a.jpg', 'a.csv'].filter(isPhotoName),
  ).toEqual(['a/B.JPG', 'c.tiff', 'Save as.jfif', 'IMG_1.HEIC']);
});
