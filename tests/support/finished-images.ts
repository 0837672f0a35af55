/** Finished images, most of which no worker made: inserted, ended and settled by the product's functions, at a fraction of the cost. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect } from 'vitest';
import { type GenerationView, generationRequestSchema } from '#contract';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import { insertGeneration, type NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { optionsOfTakes } from '#shared/generations/options.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import { enqueueTake } from '#shared/generations/submit.ts';
import { traceToStore } from '#shared/platform/trace.ts';
import { storageKeys } from '#shared/storage/storage.ts';
import { leaseMs } from '#worker/context.ts';
import { eventually } from './harness.ts';
import { samplePhoto } from './photos.ts';
import type { Form, Seller, SellerWindow } from './seller.ts';
import type { TestStack } from './stack.ts';

/** How a generation ends. */
interface Ending {
  /** Its image as PNG; the sample photo unless given. */
  file?: Buffer;
  /** False to leave it as a worker does that dies before it settles it. */
  settle?: boolean;
}

/**
 * Gives a seller a finished image of one photo.
 * @param form fields of the request, as text; a description and defaults unless given
 * @returns its row when it had ended
 */
export async function insertImage(
  stack: TestStack,
  seller: Pick<Seller, 'id'>,
  { form = {}, ...ending }: Ending & { form?: Record<string, string> } = {},
): Promise<GenerationRow> {
  const { db, storage, config } = stack.server.context;
  const row = await insertGeneration(db, { ...newGeneration(stack, seller.id, form), trace: traceToStore() });
  const profile = await findActiveProfile(db, seller.id);
  const held = await reserveImages(db, profile!, [row], {
    fairUse: config.billing.fairUse,
    dailyImages: null,
  });
  const photo = await samplePhoto();
  const key = storageKeys.photo(row._id, 0, 'png');
  await storage.put(key, photo);
  await enqueueTake(db, row, [{ key, ...(await sizeOf(photo)), warnings: [] }], held, null);
  return finishImage(stack, row._id, ending);
}

/** The seller's view of such an image. @param form fields of its request */
export const newImage = async (stack: TestStack, seller: Seller, form: Record<string, string> = {}) =>
  seller.generation((await insertImage(stack, seller, { form }))._id);

/** Polls until a generation has ended. */
export async function untilEnded(seller: Seller, id: string): Promise<GenerationView> {
  await expect.poll(async () => (await seller.generation(id)).endedAt, eventually).not.toBeNull();
  return seller.generation(id);
}

/** Submits, and waits until a worker has made the image. */
export const makeImage = async (seller: Seller, form?: Form) =>
  untilEnded(seller, (await seller.submit(form)).id);

/** Expects that a window has only events of its seller. Those of others would have come before the one that is waited for. */
export async function expectOnlyOwnEvents(seller: Seller, window: SellerWindow): Promise<void> {
  const { id } = await seller.submit();
  await window.untilEnded(id);
  expect(new Set(window.views.map((view) => view.id))).toEqual(new Set([id]));
}

/** Ends a queued generation with an image. @returns its row when it had ended */
export async function finishImage(
  stack: TestStack,
  id: string,
  { file, settle = true }: Ending = {},
): Promise<GenerationRow> {
  const { context } = stack.server;
  const { db, storage, config } = context;
  const claim = await claimGeneration(db, id, leaseMs(config));
  if (claim.outcome !== 'claimed') throw new Error(`generation ${id}: ${claim.outcome}`);
  const { fence } = claim.row;
  const png = file ?? (await samplePhoto());
  const key = storageKeys.image(id, fence);
  await storage.put(key, png);
  const image = { key, ...(await sizeOf(png)), sha256: createHash('sha256').update(png).digest('hex') };
  const outcome = { state: 'succeeded', image, provider: null } as const;
  const ended = await endRunning(db, { generationId: id, fence }, outcome);
  if (!ended) throw new Error(`generation ${id} was not ended`);
  if (settle) await settleGeneration(context, ended);
  return ended;
}

function newGeneration({ config }: TestStack, profile: string, form: Record<string, string>): NewGeneration {
  const request = generationRequestSchema.parse({ prompt: 'On a table', ...form });
  const id = newId();
  return {
    _id: id,
    profile,
    idempotency_key: id,
    fingerprint: id,
    ...(request.projectId !== undefined && { project: request.projectId }),
    prompt: request.prompt,
    product_name: request.productName ?? '',
    count: 1,
    quality: 'high',
    photos_show: request.photosShow,
    options: optionsOfTakes(request, config.image)[0]!,
    photo_set: id,
    set: { id, index: 0, size: 1 },
    created_at: new Date(),
  };
}

async function sizeOf(png: Buffer) {
  const { width, height } = await sharp(png).metadata();
  return { width, height, bytes: png.length };
}

/** Gives a seller a finished image whose product does not match its photos. @returns its id */
export async function insertPoorImage(stack: TestStack, seller: Pick<Seller, 'id'>): Promise<string> {
  const { _id: id } = await insertImage(stack, seller);
  await stack.models.generations.updateOne({ _id: id }, { match: { level: 'low', area: null } });
  return id;
}
