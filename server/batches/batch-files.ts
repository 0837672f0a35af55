import {
  type BatchFilesQuery,
  type BatchItem,
  type BatchView,
  batchFileName,
  type ExportFormat,
  exportFormatNames,
  exportName,
  type FilePreset,
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
  preset: FilePreset | null;
  format: ExportFormat;
  /** With the folder of its preset, if it is in one; no other file has it. */
  name: string;
}

/** The images of a batch in the order of its rows and takes, with those that are not finished. */
export const imagesOf = ({ items }: BatchView): ImageOfBatch[] =>
  items.flatMap((item) => item.images.map((image) => ({ item, image })));

/**
 * The files of a batch: each finished image as it was made, or in each preset, in folders if the pattern does not name them.
 * @param presets those that the query names; null for none
 */
export function filesOf(
  batch: BatchView,
  { only, pattern, format }: Omit<BatchFilesQuery, 'presets'>,
  presets: readonly FilePreset[] | null,
): BatchFile[] {
  const taken = new Set<string>();
  const placeOf = createPlaces();
  const wanted = imagesOf(batch).filter(
    ({ image }) => image.imageUrl && (only === undefined || image.approved),
  );
  return wanted.flatMap(({ item, image }) => {
    const place = placeOf(item, `row ${item.index}`);
    return (presets ?? [null]).map((preset) => {
      const type = preset === null ? 'png' : (preset.format ?? format);
      const { extension } = exportFormatNames[type];
      const { asin, sku, name: product } = item;
      const parts = { asin, sku, name: product, place, preset: preset?.label ?? '' };
      const own = preset?.namePattern ?? null;
      const isInFolder = presets !== null && presets.length > 1 && !(own ?? pattern).includes('{preset}');
      const name = uniqueName(taken, (suffix) => {
        const file =
          own === null
            ? batchFileName(pattern, { ...parts, row: item.index + 1, n: image.take + 1 }, extension, suffix)
            : exportName(own, { ...parts, askedAt: batch.createdAt }, extension, suffix);
        return isInFolder ? `${parts.preset}/${file}` : file;
      });
      return { item, image, preset, format: type, name };
    });
  });
}
