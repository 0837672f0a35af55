import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type GenerationRequest, limits } from '#contract';
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
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { announce } from '#shared/generations/announce.ts';
import { AppError } from '#shared/platform/errors.ts';
import { addJob, queuePriority } from '#shared/platform/queue.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { normalisePhoto } from './photos.ts';
import type { Upload } from './uploads.ts';

/** A seller's wish for an image, as it was read from the form. */
export interface Submission {
  profile: string;
  idempotencyKey: string;
  request: GenerationRequest;
  files: Upload['files'];
}

/**
 * Says before a form is read what {@link submit} would refuse whatever is in it.
 * @throws Refusal as `checkCredit`, unless the key was used: then the answer depends on the form
 */
export async function checkUploader(context: ServerContext, sellerId: string, key: string): Promise<void> {
  const seller = await context.db.profiles.findById(sellerId).lean();
  if (!seller || seller.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
  try {
    checkCanGenerate(seller, limits.imagesPerGeneration, context.config.billing.fairUse);
  } catch (refusal) {
    if (!(await findByIdempotencyKey(context.db, sellerId, key))) throw refusal;
  }
}

/**
 * Takes a submission into the queue, once for an idempotency key however often it is sent.
 * @returns the admitted row: of this submission, or of the first one under the same key
 * @throws Refusal; then nothing is left of it: no hold, no file, no row
 */
export async function submit(context: ServerContext, submission: Submission): Promise<GenerationRow> {
  const fingerprint = fingerprintOf(submission);
  const { profile: sellerId, idempotencyKey } = submission;
  const { fairUse } = context.config.billing;
  const [first, seller, settings] = await Promise.all([
    firstUnderKey(context, sellerId, idempotencyKey, fingerprint),
    context.db.profiles.findById(sellerId).lean(),
    findSettings(context.db, sellerId),
  ]);
  if (first) return first;
  if (!seller || !settings || seller.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
  try {
    checkCanGenerate(seller, submission.request.n, fairUse);
  } catch (refusal) {
    // What is missing may be held by the first request under this key, whose row came before its hold.
    if (await findByIdempotencyKey(context.db, sellerId, idempotencyKey)) return submit(context, submission);
    throw refusal;
  }

  const id = newId();
  try {
    // The row comes first: whatever a crash leaves from here on, the reconciler finds by it.
    const inserted = await insertOnce(context, {
      _id: id,
      profile: sellerId,
      idempotency_key: idempotencyKey,
      fingerprint,
      prompt: submission.request.prompt,
      product_name: submission.request.productName ?? '',
      count: submission.request.n,
      quality: settings.image_quality,
    });
    if (inserted) {
      // Both to their end, whichever fails: what is given up must not go on behind.
      const [photos, held] = await Promise.allSettled([
        storePhotos(context, id, submission.files),
        reserveImages(context.db, inserted, fairUse),
      ]);
      if (photos.status === 'rejected') throw photos.reason;
      if (held.status === 'rejected') throw held.reason;
      return await admit(context, inserted, photos.value, held.value);
    }
  } catch (error) {
    return giveUp(context, { _id: id, profile: sellerId }, error);
  }
  return submit(context, submission);
}

/**
 * Leaves nothing of a request that broke off: no row, no hold, no file. An error may also mean that only MongoDB's
 * answer was lost: then what it did counts, and an admitted generation is made.
 * @throws the error
 */
async function giveUp(
  context: ServerContext,
  generation: Pick<GenerationRow, '_id' | 'profile'>,
  error: unknown,
): Promise<GenerationRow> {
  const { db, storage } = context;
  const removed = await removeReceiving(db, generation._id);
  const admitted = removed ? null : await findVisible(db, generation._id);
  if (admitted) {
    await queueUp(context, admitted);
    return admitted;
  }
  await announce(context, generation.profile, { profile: await releaseHold(db, generation) });
  await storage.removeGeneration(generation._id);
  throw error;
}

/** Everything that makes a request the same as an earlier one. */
function fingerprintOf({ request, files }: Submission): string {
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([
      request.prompt,
      request.productName ?? null,
      request.n,
      files.map((file) => file.sha256),
    ]),
  );
  return hash.digest('hex');
}

/** How long a repeated request waits for the first one to be admitted or refused, in ms. */
const firstRequestMs = 10_000;

/**
 * The admitted row under a key. While the first request is still under way this waits for its outcome: only that
 * request may place the hold.
 * @returns undefined when the key is free
 * @throws Refusal IDEMPOTENCY_MISMATCH, or UNAVAILABLE when the first request takes too long
 */
async function firstUnderKey(
  context: ServerContext,
  sellerId: string,
  key: string,
  fingerprint: string,
): Promise<GenerationRow | undefined> {
  const deadline = Date.now() + firstRequestMs;
  for (;;) {
    const row = await findByIdempotencyKey(context.db, sellerId, key);
    if (!row) return undefined;
    if (row.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row.state !== 'receiving') return row;
    if (Date.now() > deadline) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
    await wait(25);
  }
}

async function storePhotos(
  context: ServerContext,
  id: string,
  files: Upload['files'],
): Promise<GenerationRow['photos']> {
  const photos: GenerationRow['photos'] = [];
  // One after the other: a seller's photos are not to keep others waiting.
  for (const [index, file] of files.entries()) {
    const normalised = `${file.path}.png`;
    const key = storageKeys.photo(id, index);
    try {
      const photo = await normalisePhoto(context.decoder, file.path, normalised);
      await context.storage.putFile(key, normalised);
      photos.push({ key, ...photo });
    } catch (error) {
      // The reason counts, and not what a folder that fails says about this.
      await rm(normalised, { force: true }).catch(() => {});
      throw error;
    }
  }
  return photos;
}

/** @returns undefined when another request used the key in between */
async function insertOnce(
  context: ServerContext,
  generation: Parameters<typeof insertGeneration>[1],
): Promise<GenerationRow | undefined> {
  try {
    return await insertGeneration(context.db, generation);
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Lets a row whose hold is placed and whose photos are stored into the queue, and adds its job. */
async function admit(
  context: ServerContext,
  row: GenerationRow,
  photos: GenerationRow['photos'],
  profile: ProfileRow,
): Promise<GenerationRow> {
  const { db } = context;
  const priority = queuePriority(profile.subscription_plan, profile.holds.length - 1);
  const admitted = await enqueueGeneration(db, row._id, { photos, priority });
  // Gone: the request took so long that the reconciler gave it up.
  if (!admitted) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  await queueUp(context, admitted, profile);
  return admitted;
}

/** How long a request waits for the queue to take its job, in ms; the answer does not depend on it. */
const addJobMs = 3_000;

/** Adds the job and tells the seller. From here on it will be made, whatever happens: the reconciler adds a missing job. */
async function queueUp(
  context: ServerContext,
  row: GenerationRow,
  profile: ProfileRow | null = null,
): Promise<void> {
  const { queue, log } = context;
  const late = new AbortController();
  const added = addJob(queue, row).then(
    () => true,
    (error) => {
      log.error({ err: error, generation: row._id }, 'its job was not added; the reconciler will');
      return true;
    },
  );
  const inTime = await Promise.race([
    added,
    wait(addJobMs, false, { signal: late.signal }).catch(() => true),
  ]);
  late.abort();
  if (!inTime) log.error({ generation: row._id }, 'the queue is silent; the reconciler sees to its job');
  void announce(context, row.profile, { generation: row, profile }).catch((error) =>
    log.warn({ err: error }, 'not announced'),
  );
}

/** The key of a request: what the client sent, else one of its own. @throws Refusal VALIDATION */
export function idempotencyKeyOf(header: string | string[] | undefined): string {
  if (header === undefined) return randomUUID();
  const valid =
    typeof header === 'string' &&
    header.length > 0 &&
    header.length <= limits.idempotencyKeyCharacters &&
    /^[\x21-\x7e]+$/.test(header);
  if (valid) return header;
  throw new AppError('VALIDATION', {
    message: 'The Idempotency-Key must have 1 to 200 visible ASCII characters.',
    field: 'Idempotency-Key',
  });
}
