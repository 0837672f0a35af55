import {
  type BatchCounts,
  type BatchImage,
  type BatchItem,
  type BatchItems,
  type BatchSummary,
  type BatchView,
  limits,
  paths,
  type TimeLeft,
  type V1BatchPhotos,
} from '#contract';
import { type BatchFiles, keepFiles, keptFiles } from '#shared/data/batches/files.ts';
import {
  countWaiting,
  findMissingPhotos,
  listBatchItemsFrom,
  listItemPhotos,
} from '#shared/data/batches/items.ts';
import type { BatchItemRow, BatchRow } from '#shared/data/batches/schema.ts';
import type { Db } from '#shared/data/db.ts';
import {
  type BatchGeneration,
  type BatchStateCount,
  countFilesIn,
  countStatesIn,
  listImagesIn,
} from '#shared/data/generations/batches.ts';
import { failureText } from '#shared/views/failure-help.ts';
import { editedName } from '#shared/views/generation.ts';
import { timeLeftOfMany } from '#shared/views/time-left.ts';

/** A photo that is to be sent, with its address if it has one. */
type MissingPhoto = V1BatchPhotos['missing'][number];

/** @returns how many images of batches are where, by the ids of the batches */
export async function countsOf(db: Db, batches: readonly BatchRow[]): Promise<Map<string, BatchCounts>> {
  const ids = batches.filter(({ outcome }) => !outcome).map(({ _id }) => _id);
  if (ids.length === 0) return new Map(batches.map((batch) => [batch._id, countsFrom(batch, 0, [])]));
  // The images that wait are counted first, so that one which is enqueued in between is not missed.
  const waiting = await countWaiting(db, ids);
  const states = Map.groupBy(await countStatesIn(db, ids), ({ batch }) => batch);
  return new Map(
    batches.map((batch) => [
      batch._id,
      countsFrom(batch, waiting.get(batch._id) ?? 0, states.get(batch._id) ?? []),
    ]),
  );
}

function countsFrom(
  { images, outcome }: BatchRow,
  waiting: number,
  states: readonly BatchStateCount[],
): BatchCounts {
  if (outcome) return { images, ...outcome, underWay: 0, waiting: 0 };
  const sum = (...wanted: BatchStateCount['state'][]) =>
    states.reduce((total, { state, count }) => total + (wanted.includes(state) ? count : 0), 0);
  const counts = { succeeded: sum('succeeded'), failed: sum('failed'), underWay: sum('queued', 'running') };
  const left = images - counts.succeeded - counts.failed - counts.underWay;
  // An image that is just being enqueued is still on the list of those that wait.
  const waits = Math.min(waiting, left - sum('cancelled'));
  return { images, ...counts, waiting: waits, cancelled: left - waits };
}

/** Batches as their seller sees them in a list. */
export async function batchSummaries(db: Db, batches: readonly BatchRow[]): Promise<BatchSummary[]> {
  const counts = await countsOf(db, batches);
  return Promise.all(
    batches.map(async (batch) => {
      const own = counts.get(batch._id)!;
      const knowsTime = batch.state === 'running' && waitsUntil(batch) === null;
      const timeLeft = knowsTime ? await timeLeftOfMany(db, own.waiting + own.underWay) : null;
      return summaryOf(batch, own, timeLeft);
    }),
  );
}

/** Until when the images of a batch that wait do so because of the daily limit; null if they do not. */
function waitsUntil({ state, cancelled_at: cancelled, waits_until: until }: BatchRow): Date | null {
  return state === 'running' && !cancelled && until && until > new Date() ? until : null;
}

function summaryOf(batch: BatchRow, counts: BatchCounts, timeLeft: TimeLeft | null): BatchSummary {
  const { state, created_at: createdAt } = batch;
  // A batch in `receiving` is never shown.
  const shown = state === 'receiving' ? 'uploading' : state;
  const removedAt = new Date(createdAt.getTime() + limits.batchUploadDays * 86_400_000);
  return {
    id: batch._id,
    name: batch.name,
    projectId: batch.project ?? batch.profile,
    state: shown,
    cancelled: batch.cancelled_at !== undefined,
    pausedBecause: (shown === 'paused' && batch.paused_because) || null,
    waitsUntil: waitsUntil(batch)?.toISOString() ?? null,
    rows: batch.rows,
    counts,
    timeLeft,
    createdAt: createdAt.toISOString(),
    endedAt: batch.ended_at?.toISOString() ?? null,
    removedAt: shown === 'uploading' ? removedAt.toISOString() : null,
  };
}

/** A batch as its seller sees it. @param batch as it was read after all changes @param withItems whether with all of its rows and images, or with none */
export async function batchView(db: Db, batch: BatchRow, withItems: boolean): Promise<BatchView> {
  const [[summary], files, missing, items] = await Promise.all([
    batchSummaries(db, [batch]),
    filesOf(db, batch),
    missingPhotos(db, batch),
    withItems ? allItems(db, batch) : [],
  ]);
  return { ...summary!, ...files, items, photosMissing: missing.map(({ sha256 }) => sha256), missing };
}

/** How many files a batch has: kept for one that has ended, else counted. */
async function filesOf(db: Db, batch: BatchRow): Promise<BatchFiles> {
  const kept = keptFiles(batch);
  if (kept) return kept;
  const files = await countFilesIn(db, batch._id);
  await keepFiles(db, batch, files);
  return files;
}

/** A page of the rows of a batch, with their images. @param from the row that it begins with, from 0 */
export async function batchItems(db: Db, batch: BatchRow, from: number): Promise<BatchItems> {
  // The rows are read before the images: one that is enqueued in between is seen as an image.
  const to = Math.min(from + limits.batchRowsPage, batch.rows);
  const items = await listBatchItemsFrom(db, batch._id, from, to - from);
  const images = await listImagesIn(db, batch._id, { from, to });
  const byRow = Map.groupBy(images, (image) => image.batch!.row);
  return {
    items: items.map((item) => presentItem(item, byRow.get(item.index) ?? [])),
    next: to < batch.rows ? to : null,
  };
}

/** All rows of a batch. They are read page by page, so that other requests are answered in between. */
async function allItems(db: Db, batch: BatchRow): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: BatchItems = await batchItems(db, batch, from);
    items.push(...page.items);
    from = page.next;
  }
  return items;
}

/** The photos that the server does not have, in the order of the rows that show them; none once the batch was started. */
export async function missingPhotos(db: Db, { _id: batchId, state }: BatchRow): Promise<MissingPhoto[]> {
  const missing = new Set(state === 'uploading' ? await findMissingPhotos(db, batchId) : []);
  if (missing.size === 0) return [];
  const found: MissingPhoto[] = [];
  for (const { index, photos } of await listItemPhotos(db, batchId)) {
    for (const { name, sha256, url = null } of photos) {
      if (missing.delete(sha256)) found.push({ name, sha256, url, row: index });
    }
  }
  return found;
}

function presentItem(item: BatchItemRow, images: readonly BatchGeneration[]): BatchItem {
  const { index, sku, asin, name, prompt, photos } = item;
  const { width, height } = item.options;
  const takes = Array.from({ length: item.takes }, (_, take) => {
    const made = images.find(({ batch, state }) => batch!.take === take && state !== 'receiving');
    return made ? presentImage(made, take) : absentImage(item, take);
  });
  return {
    index,
    sku,
    ...(asin !== undefined && { asin }),
    name,
    prompt,
    width,
    height,
    photos,
    images: takes,
  };
}

const nothing = {
  generationId: null,
  imageUrl: null,
  thumbnailUrl: null,
  failure: null,
  againFailure: null,
  match: null,
  approved: false,
};

/** An image without a generation: it waits, or was cancelled before it got one. */
function absentImage({ queue }: BatchItemRow, take: number): BatchImage {
  const waits = queue.some((queued) => queued.take === take);
  return { take, ...nothing, state: waits ? 'waiting' : 'cancelled' };
}

function presentImage(row: BatchGeneration, take: number): BatchImage {
  const { _id: id, state, image, edits, failure, match, deletion } = row;
  if (deletion) return { take, ...nothing, state: 'deleted' };
  const name = edits ? editedName(edits.version) : 'image';
  const link = image && paths.generationImage(id, name);
  return {
    take,
    generationId: id,
    state: state === 'receiving' ? 'waiting' : state,
    imageUrl: link,
    thumbnailUrl: link && `${link}-thumbnail`,
    failure: failure && failureText(failure),
    againFailure: row.batch!.again_failure ?? null,
    approved: row.batch!.approved === true,
    match: match?.level ?? null,
  };
}
