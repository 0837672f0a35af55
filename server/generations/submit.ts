import { setTimeout as wait } from 'node:timers/promises';
import type { GenerationRequest } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkCanGenerate, releaseHold, reserveImages } from '#shared/credits/holds.ts';
import { isDuplicateKey, newId } from '#shared/data/db.ts';
import { findVisible } from '#shared/data/generations/find.ts';
import {
  enqueueGeneration,
  findByIdempotencyKey,
  insertGeneration,
  removeReceiving,
} from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { announce } from '#shared/generations/announce.ts';
import { AppError } from '#shared/platform/errors.ts';
import { addJob, queuePriority } from '#shared/platform/queue.ts';
import { findFirstUnderKey, fingerprintOf } from './idempotency.ts';
import { checkOptions, optionsOfTakes } from './options.ts';
import { storePhotos } from './photos.ts';
import type { Upload } from './uploads.ts';

/** A validated request for an image. */
export interface Submission {
  /** The seller's id. */
  profile: string;
  idempotencyKey: string;
  request: GenerationRequest;
  files: Upload['files'];
}

/**
 * Submits a generation: inserts its row, stores its photos and places its hold, enqueues it, adds its job. Idempotent:
 * a repeated request gets the generation of the first one under its key.
 * @returns the row, queued or further
 * @throws AppError or StorageError; then neither row nor hold nor file is left
 */
export async function submit(context: ServerContext, submission: Submission): Promise<GenerationRow> {
  const row = await receive(context, submission);
  if (row.state !== 'receiving') return row;
  try {
    // Waits for both even if one fails: the cleanup below must not overlap with either.
    const [photos, profile] = await Promise.allSettled([
      storePhotos(context, row._id, submission.files),
      reserveImages(context.db, row, context.config.billing.fairUse),
    ]);
    if (photos.status === 'rejected') throw photos.reason;
    if (profile.status === 'rejected') throw profile.reason;
    return await enqueue(context, row, photos.value, profile.value);
  } catch (error) {
    return cleanUp(context, row, error);
  }
}

/**
 * Inserts the row of a request. It comes before photos and hold, so that the reconciler finds by it whatever a crash
 * leaves (docs/decisions/0005-insert-the-row-before-storing-photos.md).
 * @returns the row in `receiving`; or the row of the first request under the same key, once it is no longer in `receiving`
 * @throws AppError as `checkCanGenerate`, `checkOptions` and `findFirstUnderKey`
 */
async function receive({ db, config }: ServerContext, submission: Submission): Promise<GenerationRow> {
  const { profile: sellerId, idempotencyKey: key, request, files } = submission;
  const fingerprint = fingerprintOf(request, files);
  const id = newId();
  // Each round but the last found that another request had just used the key.
  for (;;) {
    const [first, profile, settings] = await Promise.all([
      findFirstUnderKey(db, sellerId, key, fingerprint),
      findActiveProfile(db, sellerId),
      findSettings(db, sellerId),
    ]);
    if (first) return first;
    if (!profile || !settings) throw new AppError('UNAUTHENTICATED');
    try {
      checkCanGenerate(profile, request.numImages, config.billing.fairUse);
    } catch (refusal) {
      // The images that are missing may be on hold for the first request under this key.
      if (await findByIdempotencyKey(db, sellerId, key)) continue;
      throw refusal;
    }
    checkOptions(request, profile, config.image);
    try {
      return await insertGeneration(db, {
        _id: id,
        profile: sellerId,
        idempotency_key: key,
        fingerprint,
        prompt: request.prompt,
        product_name: request.productName ?? '',
        count: request.numImages,
        quality: settings.image_quality,
        photos_show: request.photosShow,
        options: optionsOfTakes(request, config.image)[0]!,
      });
    } catch (error) {
      if (isDuplicateKey(error)) continue;
      // Perhaps only MongoDB's answer was lost, and the row is there.
      await removeReceiving(db, id);
      throw error;
    }
  }
}

/** Moves a generation to `queued`, adds its job and tells the seller. @param profile with its hold */
async function enqueue(
  context: ServerContext,
  { _id: id }: GenerationRow,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
): Promise<GenerationRow> {
  const hold = profile.holds.find(({ generation }) => generation === id);
  // A plan that was only chosen gives no priority to free images.
  const plan = hold?.balance === 'welcome' ? null : profile.subscription_plan;
  const priority = queuePriority(plan, profile.holds.length - 1);
  const queued = await enqueueGeneration(context.db, id, { photos, priority });
  // The reconciler removed it, because this request took too long.
  if (!queued) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  await addJobInTime(context, queued);
  announceQueued(context, queued, profile);
  return queued;
}

/**
 * Removes what a failed request left: row, hold and files. If the generation was queued nevertheless, because only
 * MongoDB's answer was lost, it is kept.
 * @returns the queued generation
 * @throws the error, when there is none
 */
async function cleanUp(context: ServerContext, row: GenerationRow, error: unknown): Promise<GenerationRow> {
  const { db, storage } = context;
  const queued = (await removeReceiving(db, row._id)) ? null : await findVisible(db, row._id);
  if (queued) {
    await addJobInTime(context, queued);
    announceQueued(context, queued, null);
    return queued;
  }
  await announce(context, row.profile, { profile: await releaseHold(db, row) });
  await storage.removeGeneration(row._id);
  throw error;
}

/** How long a request waits for the queue to take its job, in ms; the answer does not depend on it. */
const addJobMs = 3_000;

/** Adds the job of a queued generation. If that fails or takes too long, the reconciler adds it. */
async function addJobInTime({ queue, log }: ServerContext, row: GenerationRow): Promise<void> {
  const added = new AbortController();
  const adding = addJob(queue, row)
    .catch((error) => log.error({ err: error, generation: row._id }, 'job not added; the reconciler will'))
    .finally(() => added.abort());
  const timeout = wait(addJobMs, undefined, { signal: added.signal }).then(
    () => log.error({ generation: row._id }, 'the queue does not answer; the reconciler adds the job'),
    () => {},
  );
  await Promise.race([adding, timeout]);
}

/** Announces a queued generation without making the request wait. @param profile null when its balance is not known */
function announceQueued(context: ServerContext, row: GenerationRow, profile: ProfileRow | null): void {
  announce(context, row.profile, { generation: row, profile }).catch((error) =>
    context.log.warn({ err: error }, 'not announced'),
  );
}
