/** The columns of a table, in the order of the sample; `scene` and `look` may be there both. */
export const columns = [
  'sku',
  'asin',
  'name',
  'photos',
  'scene',
  'look',
  'template',
  'size',
  'takes',
] as const;
export type Column = (typeof columns)[number];

/** What a row says, as the seller wrote it; an empty text where there is nothing. */
export interface RowCells extends Record<Exclude<Column, 'photos'>, string> {
  /** Names of files. */
  photos: readonly string[];
}

/** A row of the table that the seller is editing. */
export interface TableRow extends RowCells {
  /** The same as long as the table exists. */
  id: string;
  /** Whether it was made of photos by their names, so that a table may still name it. */
  fromPhotos: boolean;
}

/** A row without anything. */
export const emptyCells: RowCells = {
  sku: '',
  asin: '',
  name: '',
  photos: [],
  scene: '',
  look: '',
  template: '',
  size: '',
  takes: '',
};
