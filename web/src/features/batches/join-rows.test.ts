import { expect, it } from 'vitest';
import { automatic } from './group-photos.ts';
import { withPhotos as addPhotos, regrouped, withTable } from './join-rows.ts';
import type { DroppedPhoto } from './photo-index.ts';
import { emptyCells, type RowCells, type TableRow } from './table-row.ts';

const dropped = (...paths: string[]): DroppedPhoto[] =>
  paths.map((path) => ({ path, file: new File(['x'], path), url: '' }));
const cells = (changes: Partial<RowCells>): RowCells => ({ ...emptyCells, ...changes });
function ids() {
  let last = 0;
  return () => {
    last += 1;
    return `${last}`;
  };
}
const shown = (rows: readonly TableRow[]) => rows.map(({ sku, photos }) => [sku, ...photos]);

/** All photos at once. */
const withPhotos = (rows: readonly TableRow[], all: readonly DroppedPhoto[], newId: () => string) =>
  addPhotos(
    rows,
    all,
    all.map(({ path }) => path),
    automatic,
    newId,
  );

const photos = dropped('mug-1.jpg', 'mug-2.jpg', 'vase.jpg', 'IMG_4821.jpeg');

it('a dropped folder becomes products', () => {
  expect(shown(withPhotos([], photos, ids()))).toEqual([
    ['', 'IMG_4821.jpeg'],
    ['mug', 'mug-1.jpg', 'mug-2.jpg'],
    ['vase', 'vase.jpg'],
  ]);
});

it('more photos and another pattern keep what was written about a product', () => {
  const first = withPhotos([], dropped('mug-1.jpg', 'IMG_1.jpg'), ids());
  const written = first.map((row) => ({
    ...row,
    scene: `scene of ${row.photos[0]}`,
    sku: row.sku || 'TYPED',
  }));
  const more = addPhotos(
    written,
    dropped('mug-1.jpg', 'IMG_1.jpg', 'mug-2.jpg'),
    ['mug-2.jpg'],
    automatic,
    () => '9',
  );
  expect(more.map(({ sku, scene, photos: of }) => [sku, scene, of.length])).toEqual([
    ['TYPED', 'scene of IMG_1.jpg', 1],
    ['mug', 'scene of mug-1.jpg', 2],
  ]);
  expect(regrouped(more, '{sku}', () => '9').map(({ sku, scene }) => [sku, scene])).toEqual([
    ['IMG_1', 'scene of IMG_1.jpg'],
    ['mug-1', 'scene of mug-1.jpg'],
    ['mug-2', ''],
  ]);
});

it('a product that was removed, and a photo that was taken off, do not come back with more photos', () => {
  const all = dropped('cup-1.jpg', 'mug-1.jpg', 'mug-2.jpg', 'vase.jpg');
  const rows = withPhotos([], all.slice(0, 3), ids());
  const changed = rows.slice(1).map((row) => ({ ...row, photos: ['mug-1.jpg'] }));
  const more = addPhotos(changed, all, ['vase.jpg'], automatic, () => '9');
  expect(shown(more)).toEqual([
    ['mug', 'mug-1.jpg'],
    ['vase', 'vase.jpg'],
  ]);
});

it('after a reload, the first photos that are dropped again do not remove the other products', () => {
  const rows = withPhotos([], photos, ids());
  const again = addPhotos(rows, dropped('vase.jpg'), ['vase.jpg'], automatic, () => '9');
  expect(again).toEqual(rows);
});

it('a table joins by SKU and by the names of photos; the others stay', () => {
  const rows = withPhotos([], photos, ids()).map((row) => ({ ...row, takes: '2' }));
  const joined = withTable(
    rows,
    [
      cells({ sku: 'MUG', name: 'Mug' }),
      cells({ sku: 'V-1', photos: ['vase'], takes: '3' }),
      cells({ sku: 'NEW' }),
    ],
    photos,
    automatic,
    ids(),
  );
  expect(joined.map(({ sku, name, takes, photos: of }) => [sku, name, takes, ...of])).toEqual([
    ['MUG', 'Mug', '2', 'mug-1.jpg', 'mug-2.jpg'],
    ['V-1', '', '3', 'vase'],
    ['NEW', '', ''],
    ['', '', '2', 'IMG_4821.jpeg'],
  ]);
});

it('a table that is added again changes its products', () => {
  const first = withTable(
    [],
    [cells({ sku: 'A', scene: 'On oak' }), cells({ sku: 'B' })],
    [],
    automatic,
    ids(),
  );
  const again = withTable(
    first,
    [cells({ sku: 'b', name: 'Vase' }), cells({ sku: 'A' }), cells({ sku: 'A' })],
    [],
    automatic,
    () => '9',
  );
  expect(again.map(({ id, sku, name, scene }) => [id, sku, name, scene])).toEqual([
    ['2', 'b', 'Vase', ''],
    ['1', 'A', '', 'On oak'],
    ['9', 'A', '', ''],
  ]);
});

it('photos that come after a table are given to its SKUs, and make no products', () => {
  const table = withTable(
    [],
    [cells({ sku: 'mug' }), cells({ sku: 'A', photos: ['vase.jpg'] })],
    [],
    automatic,
    ids(),
  );
  expect(shown(withPhotos(table, photos, ids()))).toEqual([
    ['mug', 'mug-1.jpg', 'mug-2.jpg'],
    ['A', 'vase.jpg'],
  ]);
});
