import { groupPhotos, type PhotoGroup } from './group-photos.ts';
import { createPhotoIndex, type DroppedPhoto } from './photo-index.ts';
import { emptyCells, type RowCells, type TableRow } from './table-row.ts';

const skuKey = (sku: string) => sku.trim().toLowerCase();

/** The photos that rows name, by path. */
function usedPaths(rows: readonly TableRow[], photos: readonly DroppedPhoto[]): Set<string> {
  const index = createPhotoIndex(photos);
  return new Set(index.photosOf(rows.flatMap((row) => row.photos)).map(({ path }) => path));
}

/**
 * Rows after photos were added. Rows of a table that name no photos get those of their SKU. Other photos become products by
 * their names as long as there is no table.
 * @param photos all of them; @param added the paths of the new ones
 * @param pattern see `group-photos.ts`
 * @param newId makes the id of a row
 */
export function withPhotos(
  rows: readonly TableRow[],
  photos: readonly DroppedPhoto[],
  added: readonly string[],
  pattern: string,
  newId: () => string,
): TableRow[] {
  const used = usedPaths(rows, photos);
  const wasAdded = new Set(added);
  const isNew = (path: string) => wasAdded.has(path) && !used.has(path);
  const fromPhotos = rows.filter((row) => row.fromPhotos);
  const known = fromPhotos.flatMap((row) => row.photos);
  // With the photos that are there, so that `mug-2.jpg` is the second photo of `mug-1.jpg` also if it comes later.
  const groups = groupPhotos([...new Set([...known, ...added.filter(isNew)])], pattern);
  if (rows.some((row) => !row.fromPhotos)) return rows.map((row) => withPhotosOfSku(row, groups));
  const result = [...rows];
  for (const { sku, paths } of groups) {
    const more = paths.filter(isNew);
    if (more.length === 0) continue;
    const index = result.findIndex(
      (row) =>
        row.photos.some((path) => paths.includes(path)) || (sku !== '' && skuKey(row.sku) === skuKey(sku)),
    );
    const row = result[index];
    if (row) result[index] = { ...row, photos: [...row.photos, ...more] };
    else result.push({ ...emptyCells, id: newId(), sku, photos: more, fromPhotos: true });
  }
  return result;
}

/** Divides the photos of products that were made of photos anew. What the seller wrote about a product stays. */
export function regrouped(rows: readonly TableRow[], pattern: string, newId: () => string): TableRow[] {
  const ofPhotos = rows.filter(({ fromPhotos }) => fromPhotos);
  const before = new Map(ofPhotos.flatMap((row) => row.photos.map((path) => [path, row] as const)));
  const kept = new Set<string>();
  const groups = groupPhotos([...before.keys()], pattern).map(({ sku, paths }) => {
    const known = paths.map((path) => before.get(path)).find((row) => row && !kept.has(row.id));
    if (known) kept.add(known.id);
    return { ...(known ?? { ...emptyCells, id: newId() }), sku, photos: paths, fromPhotos: true };
  });
  return [...rows.filter(({ fromPhotos }) => !fromPhotos), ...groups];
}

function withPhotosOfSku(row: TableRow, groups: readonly PhotoGroup[]): TableRow {
  if (row.fromPhotos || row.photos.length > 0 || row.sku === '') return row;
  const group = groups.find(({ sku }) => skuKey(sku) === skuKey(row.sku));
  return group ? { ...row, photos: group.paths } : row;
}

/**
 * Rows after a table was added. Its products take the place of those with the same SKU, so a table can be added again, and of
 * those that were made of one of their photos. Photos, and what the seller wrote there, stay where the table says nothing.
 */
export function withTable(
  rows: readonly TableRow[],
  added: readonly RowCells[],
  photos: readonly DroppedPhoto[],
  pattern: string,
  newId: () => string,
): TableRow[] {
  const index = createPhotoIndex(photos);
  const taken = new Set<string>();
  const joined = added.map((cells) => {
    const named = new Set(index.photosOf(cells.photos).map(({ path }) => path));
    const match = rows.find(
      (row) =>
        !taken.has(row.id) &&
        ((cells.sku !== '' && skuKey(row.sku) === skuKey(cells.sku)) ||
          (row.fromPhotos && row.photos.some((path) => named.has(path)))),
    );
    if (!match) return { ...cells, photos: [...cells.photos], id: newId(), fromPhotos: false };
    taken.add(match.id);
    return joinedRow(match, cells);
  });
  // A product whose photos the table names all in other rows is none of its own.
  const used = usedPaths(joined, photos);
  const rest = rows.filter(
    (row) => !taken.has(row.id) && !(row.fromPhotos && row.photos.every((path) => used.has(path))),
  );
  const all = photos.map(({ path }) => path);
  return withPhotos([...joined, ...rest], photos, all, pattern, newId);
}

function joinedRow(row: TableRow, cells: RowCells): TableRow {
  const written = Object.entries(cells).filter(([, value]) => value.length > 0);
  return { ...row, ...(Object.fromEntries(written) as Partial<RowCells>), fromPhotos: false };
}
