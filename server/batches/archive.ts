import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type BatchFilesQuery,
  type BatchView,
  type CsvDelimiter,
  type FilePreset,
  pages,
  usualBatchPattern,
} from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { csvOf, sendCsv } from '#server/http/csv.ts';
import { inPieces } from '#server/http/pieces.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { renderExport } from '#server/images/export-files.ts';
import { shownImageKey } from '#server/images/render-edits.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { filesOf, imagesOf } from './batch-files.ts';

/**
 * The files of a batch as a ZIP, the edited images as edited. It is written while it is read, one file at a time. Destroying
 * the stream stops it.
 * @param presets those that the query names; null for none
 */
export function archiveOf(
  context: ServerContext,
  sellerId: string,
  batch: BatchView,
  query: BatchFilesQuery,
  presets: readonly FilePreset[] | null,
): Readable {
  const zip = createZip();
  const write = async () => {
    for (const [{ generationId }, files] of Map.groupBy(
      filesOf(batch, query, presets),
      ({ image }) => image,
    )) {
      const row = await findGeneration(context.db, sellerId, generationId!);
      // Deleted since the batch was read.
      if (!row?.image) continue;
      for (const { preset, format, name } of files) {
        const open = async () => {
          if (preset === null) return openShown(context, row, zip.closed);
          const { file } = await renderExport(context, { row, preset, format, fileName: name }, zip.closed);
          return inPieces(file);
        };
        await zip.add(name, open, { at: row.ended_at ?? row.created_at, packed: true });
      }
    }
    zip.end();
  };
  write().catch((error) => zip.output.destroy(error));
  return zip.output;
}

async function openShown(context: ServerContext, row: GenerationRow, closed: AbortSignal): Promise<Readable> {
  const key = await shownImageKey(context, row, closed);
  const file = key && (await context.storage.open(key));
  if (!file) throw new Error(`${key} is gone`);
  return file.stream;
}

/** Sends what became of each image of a batch, as CSV. @param linkUrl public address of the site */
export const sendReport = (reply: FastifyReply, batch: BatchView, linkUrl: string, delimiter: CsvDelimiter) =>
  sendCsv(reply, `${batch.name}.csv`, reportOf(batch, linkUrl, delimiter));

function reportOf(batch: BatchView, linkUrl: string, delimiter: CsvDelimiter): string {
  const files = filesOf(batch, { pattern: usualBatchPattern, format: 'png' }, null);
  const names = new Map(files.map(({ image, name }) => [image, name]));
  const rows = imagesOf(batch).map(({ item, image }) => ({
    sku: item.sku,
    name: item.name,
    row: item.index + 1,
    take: image.take + 1,
    state: image.state,
    image: names.get(image) ?? '',
    link: image.generationId ? `${linkUrl}${pages.dashboard}?generation=${image.generationId}` : '',
    reason: image.failure ?? image.againFailure ?? '',
    'product match': image.match ?? '',
    approved: image.approved ? 'yes' : '',
  }));
  return csvOf(rows, delimiter);
}
