import type { Readable } from 'node:stream';
import { type BatchItem, type BatchView, batchFileName, pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { csvOf } from '#server/http/csv.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { renderEdits } from '#server/images/render-edits.ts';
import { uniqueName } from '#server/images/unique-name.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import { storageKeys } from '#shared/storage/storage.ts';

/** An image of a batch and its file name in the archive; null while there is no image. */
interface NamedImage {
  item: BatchItem;
  image: BatchItem['images'][number];
  fileName: string | null;
}

/** The images of a batch with their file names, which are unique. @param pattern as `batchFileName` takes it */
function nameImages({ items }: BatchView, pattern: string): NamedImage[] {
  const taken = new Set<string>();
  return items.flatMap((item) =>
    item.images.map((image) => {
      const { sku, name, index } = item;
      const parts = { sku, name, row: index + 1, n: image.take + 1 };
      const nameOf = (suffix: string) => batchFileName(`${pattern}${suffix}`, parts, 'png');
      return { item, image, fileName: image.imageUrl ? uniqueName(taken, nameOf) : null };
    }),
  );
}

/**
 * The finished images of a batch as a ZIP, the edited ones as edited. It is written while it is read, one file at a time.
 * Destroying the stream stops it.
 */
export function archiveOf(
  context: ServerContext,
  sellerId: string,
  batch: BatchView,
  pattern: string,
): Readable {
  const { db, storage } = context;
  const zip = createZip();
  const write = async () => {
    for (const { image, fileName } of nameImages(batch, pattern)) {
      const row = image.generationId ? await findGeneration(db, sellerId, image.generationId) : null;
      // Deleted since the batch was read.
      if (!row?.image || !fileName) continue;
      if (row.edits) await renderEdits(context, row, zip.closed);
      const key = row.edits ? storageKeys.edited(row._id, row.edits.version) : row.image.key;
      const open = async () => {
        const file = await storage.open(key);
        if (!file) throw new Error(`${key} is gone`);
        return file.stream;
      };
      await zip.add(fileName, open, { at: row.ended_at ?? row.created_at, packed: true });
    }
    zip.end();
  };
  write().catch((error) => zip.output.destroy(error));
  return zip.output;
}

/**
 * What became of each image of a batch, as CSV.
 * @param linkUrl public address of the site
 */
export function reportOf(batch: BatchView, pattern: string, linkUrl: string): string {
  const rows = nameImages(batch, pattern).map(({ item, image, fileName }) => ({
    sku: item.sku,
    name: item.name,
    row: item.index + 1,
    take: image.take + 1,
    state: image.state,
    image: fileName ?? '',
    link: image.generationId ? `${linkUrl}${pages.dashboard}?generation=${image.generationId}` : '',
    reason: image.failure ?? '',
    'product match': image.match ?? '',
  }));
  return csvOf(rows);
}
