import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type BatchRow as BatchRequestRow, type createBatchSchema, imageOptionsOf, limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import {
  acceptBatch,
  beginAddition,
  countBatches,
  countBytes,
  findBatchByKey,
  findDeletedBatch,
  finishAddition,
  insertBatch,
  removeBatch,
} from '#shared/data/batches/batches.ts';
import { findAddition, insertBatchParts } from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import { type Db, isDuplicateKey, newId } from '#shared/data/db.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findProject } from '#shared/data/projects.ts';
import { checkOptions } from '#shared/generations/options.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';
import { batchOf } from './batch-actions.ts';
import { checkUnstartedBytes } from './unstarted.ts';

/** A row as a request has it; a photo at an address with that, too. */
export type NewRow = Omit<BatchRequestRow, 'photos'> & Pick<BatchItemRow, 'photos'>;

/** Whether a seller's request under a key has made a batch, also if that was started and deleted since. */
export async function wasBatchAskedFor(db: Db, sellerId: string, key: string): Promise<boolean> {
  const earlier = (await findBatchByKey(db, sellerId, key)) ?? (await findDeletedBatch(db, sellerId, key));
  return earlier !== null;
}

/**
 * Makes a batch, whose photos are to be uploaded next. Nothing is on hold. Idempotent by its key.
 * @param apiKey of the request; none in the web app
 * @throws AppError as `checkMayUpload`; VALIDATION or UPGRADE_REQUIRED, about the row that is wrong; BATCH_LIMIT;
 *   UNAVAILABLE while an earlier request under the key is still in progress, IDEMPOTENCY_MISMATCH if that one made something
 *   else, BATCH_DELETED if its batch was started and deleted
 */
export async function createBatch(
  context: ServerContext,
  sellerId: string,
  {
    key,
    name,
    projectId,
    rows,
  }: Omit<z.output<typeof createBatchSchema>, 'rows'> & { rows: readonly NewRow[] },
  apiKey?: BatchRow['api_key'],
): Promise<BatchRow> {
  const { db } = context;
  const fingerprint = fingerprintOf([name, projectId, rows]);
  const earlier = await findBatchByKey(db, sellerId, key);
  if (earlier) return received(earlier, fingerprint);
  const deleted = await findDeletedBatch(db, sellerId, key);
  if (deleted)
    throw new AppError(deleted.fingerprint === fingerprint ? 'BATCH_DELETED' : 'IDEMPOTENCY_MISMATCH');
  const profile = await checkMayUpload(context, sellerId);
  checkRows(context, profile, rows);
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
  await insertBatchParts(
    db,
    rows.map((row, index) => itemOf(id, row, index)),
  );
  const accepted = await acceptBatch(db, id);
  // Upkeep removed it, because this request took too long.
  if (!accepted) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  return accepted;
}

/**
 * Adds rows to a batch that is not started: all of them, or none. Idempotent by its key. They are decided about by one update of
 * the batch, so one that is started at the same moment starts without them, and they are refused, or is refused itself.
 * @returns the batch with them
 * @throws AppError as `createBatch`; BATCH_STARTED; NOT_FOUND when it was removed meanwhile
 */
export async function addRows(
  context: ServerContext,
  seen: BatchRow,
  { key, rows }: { key: string; rows: readonly NewRow[] },
): Promise<BatchRow> {
  const { db } = context;
  const { _id: id, profile: sellerId } = seen;
  const fingerprint = fingerprintOf(rows);
  let batch = await completed(db, seen);
  if (await wasAdded(db, id, key, fingerprint)) return batch;
  const profile = await checkMayUpload(context, sellerId);
  checkRows(context, profile, rows);
  const bytes = Buffer.byteLength(JSON.stringify(rows));
  // What is to be stored is counted before, so that of requests at the same time none passes the limit.
  if (!(await countBytes(db, id, bytes))) throw started();
  let isDecided = false;
  try {
    await checkUnstartedBytes(context, profile);
    while (!isDecided) {
      if (batch.state !== 'uploading') throw started();
      checkRoom(batch.rows, rows.length);
      const [first, ...others] = rows.map((row, index) => itemOf(id, row, batch.rows + index));
      const items = [{ ...first!, added: { key, fingerprint } }, ...others];
      const decided = await beginAddition(db, batch, items);
      isDecided = decided !== null;
      batch = await completed(db, decided ?? (await batchOf(context, sellerId, id)));
      // The same request may have been the one that came first.
      if (!isDecided && (await wasAdded(db, id, key, fingerprint))) return batch;
    }
  } finally {
    if (!isDecided) await countBytes(db, id, -bytes);
  }
  await announce(context, sellerId, { batch: true });
  return batch;
}

/** Whether a request under the key has added these rows. @throws AppError IDEMPOTENCY_MISMATCH if it added others */
async function wasAdded(db: Db, id: string, key: string, fingerprint: string): Promise<boolean> {
  const added = await findAddition(db, id, key);
  if (added !== undefined && added !== fingerprint) throw new AppError('IDEMPOTENCY_MISMATCH');
  return added !== undefined;
}

/** Finishes an addition that a process may have died in. @throws AppError NOT_FOUND */
async function completed(db: Db, seen: BatchRow): Promise<BatchRow> {
  const batch = await finishAddition(db, seen);
  if (!batch) throw new AppError('NOT_FOUND');
  return batch;
}

const started = () =>
  new AppError('BATCH_STARTED', {
    message:
      'This batch was started already: its images are on hold, so no rows can be added. Make another batch of them.',
  });

/** @throws AppError VALIDATION */
function checkRoom(before: number, more: number): void {
  if (before + more <= limits.batchRows) return;
  throw new AppError('VALIDATION', {
    message: `A batch has at most ${limits.batchRows} rows, and this one has ${before} already.`,
    field: 'rows',
  });
}

/** Checks what the plan and the image service allow. @throws AppError about the row that is wrong */
function checkRows({ config }: ServerContext, profile: ProfileRow, rows: readonly NewRow[]): void {
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
}

/** Without addresses, which their SHA-256 stands for: the hash is that of servers of the last release, which do not have them. */
const fingerprintOf = (content: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(content, (field, value: unknown) => (field === 'url' ? undefined : value)))
    .digest('hex');

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

function itemOf(batch: string, row: NewRow, index: number): BatchItemRow {
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
