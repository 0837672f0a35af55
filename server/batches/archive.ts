import type { Readable } from 'node:stream';
import {
  type BatchArchiveQuery,
  type BatchItem,
  type BatchView,
  batchFileName,
  type CsvDelimiter,
  exportFormatNames,
  exportPreset,
  pages,
} from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { csvOf } from '#server/http/csv.ts';
import { inPieces } from '#server/http/pieces.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { renderExport } from '#server/images/export-files.ts';
import { shownImageKey } from '#server/images/render-edits.ts';
import { uniqueName } from '#server/images/unique-name.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** An image of a batch and its file name as it was made; null while there is no image. */
interface NamedImage {
  item: BatchItem;
  image: BatchItem['images'][number];
  fileName: string | null;
}

/** What a pattern of file names is filled with. */
const partsOf = ({ sku, name, index }: BatchItem, take: number) => ({
  sku,
  name,
  row: index + 1,
  n: take + 1,
});

/** The images of a batch with their file names, which are unique. @param pattern as `batchFileName` takes it */
function nameImages({ items }: BatchView, pattern: string): NamedImage[] {
  const taken = new Set<string>();
  return items.flatMap((item) =>
    item.images.map((image) => {
      const nameOf = (suffix: string) =>
        batchFileName(`${pattern}${suffix}`, partsOf(item, image.take), 'png');
      return { item, image, fileName: image.imageUrl ? uniqueName(taken, nameOf) : null };
    }),
  );
}

/**
 * The finished images of a batch as a ZIP, the edited ones as edited: as they were made, or each in each of some presets, which
 * are folders if the pattern does not name them. It is written while it is read, one file at a time. Destroying the stream
 * stops it.
 */
export function archiveOf(
  context: ServerContext,
  sellerId: string,
  batch: BatchView,
  query: BatchArchiveQuery,
): Readable {
  const { db } = context;
  const zip = createZip();
  const write = async () => {
    const taken = new Set<string>();
    for (const { item, image, fileName } of nameImages(batch, query.pattern)) {
      const row = image.generationId ? await findGeneration(db, sellerId, image.generationId) : null;
      // Deleted since the batch was read.
      if (!row?.image || !fileName) continue;
      const at = row.ended_at ?? row.created_at;
      if (!query.presets) {
        await zip.add(fileName, () => openShown(context, row, zip.closed), { at, packed: true });
        continue;
      }
      for (const preset of query.presets) {
        const format = exportPreset(preset).format ?? query.format;
        const parts = { ...partsOf(item, image.take), preset };
        const name = uniqueName(taken, (suffix) => {
          const file = batchFileName(`${query.pattern}${suffix}`, parts, exportFormatNames[format].extension);
          return needsFolders(query) ? `${preset}/${file}` : file;
        });
        const open = async () => {
          const { file } = await renderExport(context, { row, preset, format, fileName: name }, zip.closed);
          return inPieces(file);
        };
        await zip.add(name, open, { at, packed: true });
      }
    }
    zip.end();
  };
  write().catch((error) => zip.output.destroy(error));
  return zip.output;
}

const needsFolders = ({ pattern, presets }: BatchArchiveQuery) =>
  presets !== undefined && presets.length > 1 && !pattern.includes('{preset}');

async function openShown(context: ServerContext, row: GenerationRow, closed: AbortSignal): Promise<Readable> {
  const key = await shownImageKey(context, row, closed);
  const file = key && (await context.storage.open(key));
  if (!file) throw new Error(`${key} is gone`);
  return file.stream;
}

/**
 * What became of each image of a batch, as CSV.
 * @param linkUrl public address of the site
 */
export function reportOf(
  batch: BatchView,
  pattern: string,
  linkUrl: string,
  delimiter: CsvDelimiter,
): string {
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
  return csvOf(rows, delimiter);
}
