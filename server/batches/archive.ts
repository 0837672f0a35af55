import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type BatchFilesQuery,
  type BatchProductsQuery,
  type BatchReportQuery,
  type BatchView,
  type CsvDelimiter,
  fileNamePart,
  pages,
} from '#contract';
import { attachment } from '#server/http/attachment.ts';
import type { ServerContext } from '#server/http/context.ts';
import { csvOf, sendCsv } from '#server/http/csv.ts';
import { inPieces } from '#server/http/pieces.ts';
import { createZip } from '#server/http/zip-entries.ts';
import { renderExport } from '#server/images/export-files.ts';
import { findPresets } from '#server/images/find-presets.ts';
import { makeAhead } from '#server/images/make-ahead.ts';
import { shownImageKey } from '#server/images/render-edits.ts';
import { batchView } from '#shared/batches/views.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createRecent } from '#shared/platform/recent.ts';
import { type BatchFile, filesOf, imagesOf } from './batch-files.ts';
import { productTableOf } from './product-table.ts';

/**
 * Sends the finished images of a batch as a ZIP: as they were made, or in each of the presets of the query.
 * @throws AppError NOT_FOUND when there are none; PRESET_GONE
 */
export async function sendArchive(
  context: ServerContext,
  reply: FastifyReply,
  batch: BatchRow,
  query: BatchFilesQuery,
): Promise<FastifyReply> {
  const view = await batchView(context.db, batch, true);
  const presets = await presetsOf(context, batch, query);
  const files = filesOf(view, query, presets);
  if (files.length === 0) {
    throw new AppError('NOT_FOUND', {
      message: `No image of this batch is ${query.only ?? 'finished'}.`,
    });
  }
  const stream = archiveOf(context, batch.profile, files);
  stream.on('error', (error) => context.log.warn({ err: error, batch: batch._id }, 'a ZIP was interrupted'));
  return reply
    .type('application/zip')
    .headers({
      'content-disposition': attachment(`${fileNamePart(batch.name)}.zip`),
      'cache-control': 'no-store',
    })
    .send(stream);
}

/** Sends the products of a batch with the files of its ZIP, as CSV for a shop system. @throws AppError PRESET_GONE */
export async function sendProductTable(
  context: ServerContext,
  reply: FastifyReply,
  batch: BatchRow,
  query: BatchProductsQuery,
): Promise<FastifyReply> {
  const view = await batchView(context.db, batch, true);
  const table = productTableOf(view, query, await presetsOf(context, batch, query));
  return sendCsv(reply, `${fileNamePart(batch.name)}-${query.system}.csv`, table);
}

/** The presets that a query names; null for none. @throws AppError PRESET_GONE */
const presetsOf = async (context: ServerContext, { profile }: BatchRow, { presets }: BatchFilesQuery) =>
  presets === undefined ? null : findPresets(context, profile, presets);

/**
 * Files of a batch as a ZIP, the edited images as edited. It is written while it is read. Destroying the stream stops it.
 */
function archiveOf(context: ServerContext, sellerId: string, wanted: readonly BatchFile[]): Readable {
  const zip = createZip();
  // Files of one image follow each other: its row and its pixels are read once. Two are made at a time, so of two images at most.
  const files = [...Map.groupBy(wanted, ({ image }) => image).values()].flat();
  const rows = createRecent<GenerationRow | null>(2);
  const write = async () => {
    const next = makeAhead(
      files,
      async ({ image: { generationId }, preset, format, name }) => {
        const row = await rows(generationId!, () => findGeneration(context.db, sellerId, generationId!));
        // Deleted since the batch was read.
        if (!row?.image) return undefined;
        // Not made but copied: it is opened in its turn.
        if (preset === null) return { row, file: new Uint8Array() };
        const { file } = await renderExport(context, { row, preset, format, fileName: name }, zip.closed);
        return { row, file };
      },
      (making) => context.decoder.imageJobs() <= making,
    );
    for (const { preset, name } of files) {
      const made = await next();
      if (!made) continue;
      const { row, file } = made;
      const open = async () => (preset === null ? openShown(context, row, zip.closed) : inPieces(file));
      await zip.add(name, open, { at: row.ended_at ?? row.created_at, packed: true });
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

/** Sends what became of each image of a batch with the names of its files in the ZIP, as CSV. @throws AppError PRESET_GONE */
export async function sendReport(
  context: ServerContext,
  reply: FastifyReply,
  batch: BatchRow,
  query: BatchReportQuery,
): Promise<FastifyReply> {
  const view = await batchView(context.db, batch, true);
  const files = filesOf(view, query, await presetsOf(context, batch, query));
  const report = reportOf(view, files, context.config.linkUrl, query.delimiter);
  return sendCsv(reply, `${fileNamePart(batch.name)}.csv`, report);
}

function reportOf(
  batch: BatchView,
  files: readonly BatchFile[],
  linkUrl: string,
  delimiter: CsvDelimiter,
): string {
  const filesByImage = Map.groupBy(files, ({ image }) => image);
  const rows = imagesOf(batch).map(({ item, image }) => ({
    sku: item.sku,
    name: item.name,
    row: item.index + 1,
    take: image.take + 1,
    state: image.state,
    image: (filesByImage.get(image) ?? []).map((file) => file.name).join(', '),
    link: image.generationId ? `${linkUrl}${pages.dashboard}?generation=${image.generationId}` : '',
    reason: image.failure ?? image.againFailure ?? '',
    'product match': image.match ?? '',
    approved: image.approved ? 'yes' : '',
  }));
  return csvOf(rows, delimiter);
}
