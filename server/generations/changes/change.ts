import { createHash } from 'node:crypto';
import { type ChangeRequest, limits, mayUse } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkCanGenerate, mayGenerate } from '#shared/credits/holds.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import { newId } from '#shared/data/db.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { imageCapabilitiesOf } from '#shared/platform/image-models.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { type Accepted, accept, complete } from '../accept.ts';
import { checkOptions } from '../options.ts';
import { parentPhotos } from '../parent-photos.ts';
import { receive } from '../receive.ts';
import { checkUnmade } from '../unmade.ts';
import { areaFieldOf, makeMask } from './mask.ts';

/** A validated request for a change. */
interface Change {
  sellerId: string;
  /** The generation whose image is to be changed. */
  id: string;
  idempotencyKey: string;
  /** The network of the request. */
  network: string;
  request: ChangeRequest;
}

/**
 * Changes a finished image: a new generation from that image and the photos of its generation. Idempotent: a repeated
 * request gets the generation of the first one under its key.
 * @returns that generation
 * @throws AppError NOT_FOUND, NOT_CHANGEABLE, VALIDATION, UPGRADE_REQUIRED, or as a submission; then nothing is left
 */
export async function change(
  context: ServerContext,
  { sellerId, id, idempotencyKey, network, request }: Change,
): Promise<Accepted[]> {
  const { db, config, storage, decoder } = context;
  const parent = await findGeneration(db, sellerId, id);
  if (!parent) throw new AppError('NOT_FOUND');
  const { image } = parent;
  if (!image) throw new AppError('NOT_CHANGEABLE');
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([id, request]))
    .digest('hex');
  const areaField = areaFieldOf(request);
  let mask: Uint8Array | null = null;
  const received = await receive(context, {
    profile: sellerId,
    idempotencyKey,
    network,
    fingerprint,
    async check(profile) {
      checkCanGenerate(profile, 1, config.billing.fairUse);
      await checkUnmade(context, profile);
      checkOptions({ ...parent.options, useSeed: false }, profile, config.image);
      if (areaField) checkBrush(context, profile, areaField);
      // Last: it takes processor time, which only who may have the change can use.
      mask ??= await makeMask(decoder, { sellerId }, request, image);
    },
    rows: () => [
      childOf(parent, {
        idempotencyKey,
        fingerprint,
        instruction: request.instruction,
        masked: areaField !== null,
      }),
    ],
  });
  if (received.outcome === 'repeated') return complete(context, received.first);
  const { rows, profile } = received;
  const child = rows[0];
  return accept(context, rows, {
    photos: async () => {
      // A copy, so that the image that was changed can be deleted.
      const original = await storage.get(image.key);
      if (!original) throw new AppError('NOT_FOUND');
      await storage.put(storageKeys.changed(child._id), original);
      if (mask) await storage.put(storageKeys.mask(child._id), mask);
      return parentPhotos(context, parent);
    },
    holds: () => reserveImages(db, profile, rows, config.billing.fairUse),
  });
}

/** @throws AppError VALIDATION or UPGRADE_REQUIRED when the image model or the plan cannot change only a marked area */
function checkBrush({ config }: ServerContext, profile: ProfileRow, field: 'marks' | 'mask'): void {
  if (!imageCapabilitiesOf(config.image).mask) {
    throw new AppError('VALIDATION', {
      message: 'The image service cannot change only a marked area at the moment.',
      field,
    });
  }
  const plan = { plan: profile.subscription_plan, canGenerate: mayGenerate(profile, new Date()) };
  if (!mayUse('brush', plan)) throw new AppError('UPGRADE_REQUIRED', { field });
}

interface ChildFields {
  idempotencyKey: string;
  fingerprint: string;
  instruction: string;
  masked: boolean;
}

function childOf(parent: GenerationRow, fields: ChildFields): NewGeneration {
  const { seed } = parent.options;
  const id = newId();
  return {
    _id: id,
    profile: parent.profile,
    idempotency_key: fields.idempotencyKey,
    fingerprint: fields.fingerprint,
    ...(parent.project !== undefined && { project: parent.project }),
    prompt: parent.prompt,
    product_name: parent.product_name,
    ...(parent.sku !== undefined && { sku: parent.sku }),
    count: 1,
    quality: parent.quality,
    photos_show: parent.photos_show,
    options: {
      ...parent.options,
      seed: seed === null ? null : (seed + 1) % (limits.seed + 1),
    },
    photo_set: parent.photo_set,
    set: { id, index: 0, size: 1 },
    parent: parent._id,
    root: parent.root ?? parent._id,
    change: {
      instruction: fields.instruction,
      image_key: storageKeys.changed(id),
      mask_key: fields.masked ? storageKeys.mask(id) : null,
    },
    created_at: new Date(),
  };
}
