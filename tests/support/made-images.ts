/** Images that a seller has without a worker that made them, or a request: inserted and settled by the product's functions. */
import { type GenerationRequest, generationRequestSchema } from '#contract';
import { optionsOfTakes } from '#server/generations/options.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import { insertGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { enqueueTake } from '#shared/generations/sets.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { samplePhoto } from './photos.ts';
import type { Seller } from './seller.ts';
import type { TestStack } from './stack.ts';

/** Size of the sample photo. */
const sampleSize = { width: 96, height: 64 };

/**
 * Gives a seller a finished image of one photo.
 * @param form fields of the request, as text; a description and defaults unless given
 * @param file the image as PNG; the sample photo unless given
 * @returns its row
 */
export async function insertImage(
  stack: TestStack,
  seller: Pick<Seller, 'id'>,
  { form = {}, file }: { form?: Record<string, string>; file?: Buffer } = {},
): Promise<GenerationRow> {
  const { context } = stack.server;
  const { db, storage, config } = context;
  const photo = await samplePhoto();
  const request = generationRequestSchema.parse({ prompt: 'On a table', ...form });
  const row = await insertGeneration(db, newRow(seller.id, request, stack));
  const profile = await findActiveProfile(db, seller.id);
  const held = await reserveImages(db, profile!, [row], config.billing.fairUse);
  const photoKey = storageKeys.photo(row._id, 0, 'png');
  await storage.put(photoKey, photo);
  await enqueueTake(db, row, [{ key: photoKey, ...sampleSize, bytes: photo.length }], held, null);
  return finishImage(stack, row._id, file);
}

/** Ends a queued generation with an image, as a worker does. @param file PNG; the sample photo unless given */
export async function finishImage(stack: TestStack, id: string, file?: Buffer): Promise<GenerationRow> {
  const { context } = stack.server;
  const { db, storage } = context;
  const bytes = file ?? (await samplePhoto());
  const claim = await claimGeneration(db, id, 60_000);
  if (claim.outcome !== 'claimed') throw new Error(`generation ${id}: ${claim.outcome}`);
  const { fence } = claim.row;
  const image = { key: storageKeys.image(id, fence), ...sampleSize, bytes: bytes.length };
  await storage.put(image.key, bytes);
  const ended = await endRunning(
    db,
    { generationId: id, fence },
    { state: 'succeeded', image, provider: null },
  );
  if (!ended) throw new Error(`generation ${id} was not ended`);
  await settleGeneration(context, ended);
  return ended;
}

function newRow(profile: string, request: GenerationRequest, { config }: TestStack) {
  const id = newId();
  return {
    _id: id,
    profile,
    idempotency_key: id,
    fingerprint: id,
    prompt: request.prompt,
    product_name: request.productName ?? '',
    count: 1,
    quality: 'high' as const,
    photos_show: request.photosShow,
    options: optionsOfTakes(request, config.image)[0]!,
    photo_set: id,
    set: { id, index: 0, size: 1 },
    created_at: new Date(),
  };
}
