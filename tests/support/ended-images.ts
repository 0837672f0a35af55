/** Finished images that no worker made: their rows, files and holds, at a fraction of the cost. */
import { createHash } from 'node:crypto';
import { defaultOptions } from '#contract';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { searchFieldsOf } from '#shared/data/generations/search-fields.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { samplePhoto } from './photos.ts';
import type { TestStack } from './stack.ts';

/**
 * Stores an image as a worker leaves it that has just ended its generation: it is not settled yet.
 * @param details fields that differ
 */
export async function storeEndedImage(
  { db, models, server: { context } }: TestStack,
  sellerId: string,
  details: Partial<GenerationRow> = {},
): Promise<GenerationRow> {
  const { storage, config } = context;
  const id = newId();
  const picture = await samplePhoto();
  const file = { width: 96, height: 64, bytes: picture.length };
  const image = { ...file, key: storageKeys.image(id, 1), sha256: sha256Of(picture) };
  const photo = { ...file, key: storageKeys.photo(id, 0, 'png') };
  await Promise.all([storage.put(image.key, picture), storage.put(photo.key, picture)]);
  const profile = (await findProfile(db, sellerId))!;
  await reserveImages(db, profile, [{ _id: id, count: 1 }], config.billing.fairUse);
  const now = new Date();
  const { negativePrompt: negative_prompt, ...look } = defaultOptions;
  const options = { negative_prompt, ...look, seed: null };
  const texts = { prompt: 'On oak', product_name: '', ...details };
  await models.generations.create({
    ...{ _id: id, profile: sellerId, idempotency_key: id, fingerprint: id, count: 1, photo_set: id },
    ...{ set: { id, index: 0, size: 1 }, photos: [photo], options, image, state: 'succeeded', fence: 1 },
    ...{ settlement_due: true, created_at: now, queued_at: now, started_at: now, ended_at: now },
    ...texts,
    ...searchFieldsOf(texts),
  });
  return (await models.generations.findById(id).lean())!;
}

/** Stores an image and settles it. @param details fields that differ */
export async function storeImage(
  stack: TestStack,
  sellerId: string,
  details: Partial<GenerationRow> = {},
): Promise<GenerationRow> {
  const row = await storeEndedImage(stack, sellerId, details);
  await settleGeneration(stack.server.context, row);
  return (await stack.models.generations.findById(row._id).lean())!;
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
