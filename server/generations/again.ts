import { createHash } from 'node:crypto';
import type { ChangeRequest } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import { findByIdempotencyKey } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { type ChangeImageRequest, checkRequest } from '#shared/generations/request.ts';
import { findRepeated, type Submitted, submit } from '#shared/generations/submit.ts';
import { AppError } from '#shared/platform/errors.ts';
import { remakeOffer } from '#shared/views/generation.ts';
import { areaFieldOf, makeMask } from './mask.ts';

/** A validated request for a change. */
interface ChangeForm {
  sellerId: string;
  /** The generation whose image is to be changed. */
  id: string;
  idempotencyKey: string;
  /** The network of the request. */
  network: string;
  /** The API key of the request; none in the studio. */
  apiKey?: GenerationRow['api_key'];
  change: ChangeRequest;
}

/**
 * Changes a finished image: a new generation from that image and the photos of its generation. A repeated request gets the first
 * answer, also when the image was deleted since.
 * @throws AppError NOT_FOUND, NOT_CHANGEABLE, VALIDATION, UPGRADE_REQUIRED, or as `submit`; then nothing is left
 */
export async function changeImage(context: ServerContext, form: ChangeForm): Promise<Submitted> {
  const { sellerId, idempotencyKey } = form;
  const known = { kind: 'change', sellerId, idempotencyKey, fingerprint: fingerprintOf(form) } as const;
  const repeated = await findRepeated(context, known);
  if (repeated) return repeated;
  const request = await changeRequestOf(context, form);
  if (!request.area) return submit(context, request);
  await admitMask(context, request);
  return submit(context, await withMask(context, request, form.change));
}

/**
 * Refuses what {@link changeImage} would refuse; nothing is made.
 * @param network as of `countedNetwork`
 * @throws AppError as `changeImage`
 */
export async function checkChange(
  context: ServerContext,
  form: ChangeForm,
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  const request = await changeRequestOf(context, form);
  await checkRequest(context, request, profile, network);
  if (request.area) await withMask(context, request, form.change);
}

/** Tells a change from another one under the same key. */
const fingerprintOf = ({ id, change }: Pick<ChangeForm, 'id' | 'change'>) =>
  createHash('sha256')
    .update(JSON.stringify([id, change]))
    .digest('hex');

/** The request for a change; its mask is not made yet. @throws AppError NOT_FOUND, NOT_CHANGEABLE */
async function changeRequestOf(
  { db }: Pick<ServerContext, 'db'>,
  { id, change, ...form }: ChangeForm,
): Promise<ChangeImageRequest> {
  const parent = await findGeneration(db, form.sellerId, id);
  if (!parent) throw new AppError('NOT_FOUND');
  const { image } = parent;
  if (!image) throw new AppError('NOT_CHANGEABLE');
  const field = areaFieldOf(change);
  return {
    kind: 'change',
    ...form,
    fingerprint: fingerprintOf({ id, change }),
    parent: { ...parent, image },
    instruction: change.instruction,
    area: field && { field, mask: new Uint8Array() },
  };
}

/** @throws AppError VALIDATION if it is no mask of the image */
async function withMask(
  { decoder }: Pick<ServerContext, 'decoder'>,
  request: ChangeImageRequest,
  change: ChangeRequest,
): Promise<ChangeImageRequest> {
  const { sellerId, parent, area } = request;
  const mask = await makeMask(decoder, { sellerId }, change, parent.image);
  return { ...request, area: area && { ...area, mask } };
}

/**
 * Refuses early what `submit` would refuse: making a mask takes processor time, which only who may have the change can use.
 * @throws AppError as `checkRequest`, unless the key was used: then the answer is that of the first request
 */
async function admitMask(context: ServerContext, request: ChangeImageRequest): Promise<void> {
  const { sellerId, network, idempotencyKey } = request;
  const profile = await findActiveProfile(context.db, sellerId);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  try {
    await checkRequest(context, request, profile, countedNetwork(profile, network));
  } catch (refusal) {
    if (!(await findByIdempotencyKey(context.db, sellerId, idempotencyKey))) throw refusal;
  }
}

/**
 * Makes an image again at no charge, because it hardly matches the product: a new generation with the same photos,
 * description and options, the next seed and, for a changed image, the same change of the same image. Each generation is
 * made again once (docs/decisions/0052-made-again-at-no-charge.md); a repeated request gets the first answer, also when the
 * original was deleted since.
 * @param form the generation to make again, by its id, and whose request it is; `apiKey`: none in the studio
 * @throws AppError NOT_FOUND, REMAKE_NOT_OFFERED, REMAKE_LIMIT or UNPAID_CALLS; then neither row nor hold is left
 */
export async function remake(
  context: ServerContext,
  { id, ...form }: Pick<ChangeForm, 'sellerId' | 'id' | 'network' | 'apiKey'>,
): Promise<Submitted> {
  const { sellerId } = form;
  const repeated = await findRepeated(context, { kind: 'remake', sellerId, original: { _id: id } });
  if (repeated) return repeated;
  const original = await originalOf(context, sellerId, id);
  return submit(context, { kind: 'remake', ...form, original });
}

/**
 * Refuses what {@link remake} would refuse; nothing is made.
 * @param network as of `countedNetwork`
 * @throws AppError as `remake`
 */
export async function checkRemake(
  context: ServerContext,
  id: string,
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  const { _id: sellerId } = profile;
  const original = await originalOf(context, sellerId, id);
  // One that was made again already is answered with what was made then.
  if (remakeOffer(original) === 'used') return;
  await checkRequest(context, { kind: 'remake', sellerId, original }, profile, network);
}

/** The generation that is to be made again. @throws AppError NOT_FOUND, REMAKE_NOT_OFFERED */
async function originalOf(
  { db }: Pick<ServerContext, 'db'>,
  sellerId: string,
  id: string,
): Promise<GenerationRow> {
  const original = await findGeneration(db, sellerId, id);
  if (!original) throw new AppError('NOT_FOUND');
  if (remakeOffer(original) === null) throw new AppError('REMAKE_NOT_OFFERED');
  return original;
}
