import {
  type BatchFilesQuery,
  type BatchItem,
  type BatchView,
  batchFileName,
  type ExportFormat,
  type ExportPresetId,
  exportFormatNames,
  exportPreset,
} from '#contract';
import { createPlaces } from '#contract/product-places.ts';
import { uniqueName } from '#contract/unique-name.ts';

/** An image of a batch. */
export interface ImageOfBatch {
  item: BatchItem;
  image: BatchItem['images'][number];
}

/** A file of the archive of a batch: an image in a preset, or as it was made. */
export interface BatchFile extends ImageOfBatch {
  preset: ExportPresetId | null;
  format: ExportFormat;
  /** With the folder of its preset, if it is in one; no other file has it. */
  name: string;
}

/** The images of a batch in the order of its rows and takes, with those that are not finished. */
export const imagesOf = ({ items }: BatchView): ImageOfBatch[] =>
  items.flatMap((item) => item.images.map((image) => ({ item, image })));

/** The files of a batch: each finished image as it was made, or in each preset, in folders if the pattern does not name them. */
export function filesOf(batch: BatchView, { only, pattern, presets, format }: BatchFilesQuery): BatchFile[] {
  const hasFolders = presets !== undefined && presets.length > 1 && !pattern.includes('{preset}');
  const taken = new Set<string>();
  const placeOf = createPlaces();
  const wanted = imagesOf(batch).filter(
    ({ image }) => image.imageUrl && (only === undefined || image.approved),
  );
  return wanted.flatMap(({ item, image }) => {
    const place = placeOf(item, `row ${item.index}`);
    return (presets ?? [null]).map((preset) => {
      const type = preset === null ? 'png' : (exportPreset(preset).format ?? format);
      const { asin, sku, name: product } = item;
      const parts = { asin, sku, name: product, row: item.index + 1, n: image.take + 1, place };
      const name = uniqueName(taken, (suffix) => {
        const file = batchFileName(
          pattern,
          { ...parts, preset: preset ?? '' },
          exportFormatNames[type].extension,
          suffix,
        );
        return hasFolders ? `${preset}/${file}` : file;
      });
      return { item, image, preset, format: type, name };
    });
  });
}
