import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type BatchRow as BatchRequestRow, type createBatchSchema, imageOptionsOf, limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import {
  acceptBatch,
  countBatches,
  findBatchByKey,
  insertBatch,
  removeBatch,
} from '#shared/data/batches/batches.ts';
import { batchPhotoId, insertBatchParts } from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import { isDuplicateKey, newId } from '#shared/data/db.ts';
import { findProject } from '#shared/data/projects.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkUnstartedBytes } from './unstarted.ts';

/**
 * Makes a batch, whose photos are to be uploaded next. Nothing is on hold. Idempotent by its key.
 * @param apiKey of the request; none in the web app
 * @throws AppError as `checkMayUpload`; VALIDATION or UPGRADE_REQUIRED, about the row that is wrong; BATCH_LIMIT;
 *   UNAVAILABLE while an earlier request under the key is still in progress, IDEMPOTENCY_MISMATCH if that one made something
 *   else
 */
export async function createBatch(
  context: ServerContext,
  sellerId: string,
  { key, name, projectId, rows }: z.output<typeof createBatchSchema>,
  apiKey?: BatchRow['api_key'],
): Promise<BatchRow> {
  const { db, config } = context;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, projectId, rows]))
    .digest('hex');
  const earlier = await findBatchByKey(db, sellerId, key);
  if (earlier) return received(earlier, fingerprint);
  const profile = await checkMayUpload(context, sellerId);
  for (const [index, row] of rows.entries()) {
    try {
      checkOptions({ ...row, useSeed: false }, profile, config.image);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, {
        message: `Row ${index + 1}: ${error.message}`,
        field: `rows.${index}`,
      });
    }
  }
  const project = projectId === undefined || projectId === sellerId ? undefined : projectId;
  if (project !== undefined && !(await findProject(db, sellerId, project))) {
    throw new AppError('VALIDATION', {
      message: 'This project does not exist any more.',
      field: 'projectId',
    });
  }
  const id = newId();
  const bytes = Buffer.byteLength(JSON.stringify(rows));
  const images = rows.reduce((sum, { takes }) => sum + takes, 0);
  try {
    const parts = { _id: id, profile: sellerId, key, fingerprint, name, rows: rows.length, images, bytes };
    await insertBatch(db, {
      ...parts,
      ...(project !== undefined && { project }),
      ...(apiKey && { api_key: apiKey }),
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return received(await findBatchByKey(db, sellerId, key), fingerprint);
  }
  try {
    if ((await countBatches(db, sellerId)) > limits.batches) throw new AppError('BATCH_LIMIT');
    await checkUnstartedBytes(context, profile);
  } catch (error) {
    await removeBatch(db, id);
    throw error;
  }
  const photos = new Set(rows.flatMap((row) => row.photos.map(({ sha256 }) => sha256)));
  await insertBatchParts(
    db,
    rows.map((row, index) => itemOf(id, row, index)),
    [...photos].map((sha256) => ({ _id: batchPhotoId(id, sha256), batch: id, sha256, stored: null })),
  );
  const accepted = await acceptBatch(db, id);
  // Upkeep removed it, because this request took too long.
  if (!accepted) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  return accepted;
}

/**
 * @param batch null when the request that made it was refused meanwhile
 * @throws AppError IDEMPOTENCY_MISMATCH when it was made of something else; UNAVAILABLE while the request that made it is still
 *   in progress, or upkeep has not removed it
 */
function received(batch: BatchRow | null, fingerprint: string): BatchRow {
  if (batch && batch.fingerprint !== fingerprint) {
    throw new AppError('IDEMPOTENCY_MISMATCH');
  }
  if (!batch || batch.state === 'receiving') throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  return batch;
}

function itemOf(batch: string, row: BatchRequestRow, index: number): BatchItemRow {
  const { sku, asin, name, prompt, takes, photos } = row;
  return {
    _id: `${batch}-${index}`,
    batch,
    index,
    sku,
    ...(asin && { asin }),
    name,
    prompt,
    options: imageOptionsOf(row),
    takes,
    photos,
    queue: Array.from({ length: row.takes }, (_, take) => ({ take, attempt: 1 })),
    waiting: row.takes,
  };
}
