import {
  type ExportCheck,
  type ExportFormat,
  type ExportQuery,
  type FilePreset,
  nameExports,
} from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sourceTypeOf } from '#shared/images/source-type.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkRules } from './check-rules.ts';
import { findPresets } from './find-presets.ts';
import { shownImageKey } from './render-edits.ts';

/** A file to export. */
export interface ExportFile {
  row: GenerationRow;
  preset: FilePreset;
  format: ExportFormat;
  /** Unique among the files of a request. */
  fileName: string;
}

/**
 * The files that a request names: each image in each preset.
 * @throws AppError NOT_FOUND if one of the images is not the seller's own, or not finished; PRESET_GONE
 */
export async function exportFilesOf(
  { db }: Pick<ServerContext, 'db'>,
  sellerId: string,
  query: ExportQuery,
): Promise<ExportFile[]> {
  const presets = await findPresets({ db }, sellerId, query.presets);
  const rows: GenerationRow[] = [];
  for (const id of query.images) {
    const row = await findGeneration(db, sellerId, id);
    if (!row?.image || row.state !== 'succeeded') throw new AppError('NOT_FOUND');
    rows.push(row);
  }
  const images = rows.map((row) => ({
    row,
    asin: row.asin,
    sku: row.sku ?? '',
    productName: row.product_name,
    createdAt: row.created_at.toISOString(),
  }));
  return nameExports(images, { ...query, presets }).map(({ image: { row }, preset, format, fileName }) => ({
    row,
    preset,
    format,
    fileName,
  }));
}

/**
 * Makes a file, of the edited image if it was edited, and checks it. Nothing of it is stored.
 * @param disconnected aborted when nobody waits for it any longer
 * @throws AppError NOT_FOUND if the image is gone, UNAVAILABLE when too many wait; StorageError
 */
export async function renderExport(
  context: Pick<ServerContext, 'db' | 'storage' | 'decoder'>,
  { row, preset, format, fileName }: ExportFile,
  disconnected: AbortSignal,
): Promise<{ file: Uint8Array; check: ExportCheck }> {
  const { storage, decoder } = context;
  const key = await shownImageKey(context, row, disconnected);
  if (!key) throw new AppError('NOT_FOUND');
  const sourceType = await sourceTypeOf(context.db, row);
  const { id, rules: wanted, quality } = preset;
  const order = { rules: wanted, quality, format, productName: row.product_name, sourceType };
  const client = { sellerId: row.profile, disconnected };
  const made = await storage.withFile(key, (path) => decoder.export(client, { ...order, path }));
  if (!made) throw new AppError('NOT_FOUND');
  const { file, facts } = made;
  const { width, height, enlarged } = facts;
  const rules = checkRules(wanted, facts, file.byteLength);
  return {
    file,
    check: { image: row._id, preset: id, fileName, width, height, bytes: file.byteLength, enlarged, rules },
  };
}
