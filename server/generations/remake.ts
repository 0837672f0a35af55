import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkRemakes, reserveRemake } from '#shared/credits/remakes.ts';
import { findGeneration } from '#shared/data/generations/find.ts';
import type { NewGeneration } from '#shared/data/generations/receive.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { remakeOffer } from '#shared/generations/remake-offer.ts';
import { recordRemake } from '#shared/generations/remakes.ts';
import { AppError } from '#shared/platform/errors.ts';
import { type Accepted, accept, complete } from './accept.ts';
import { parentPhotos } from './parent-photos.ts';
import { receive } from './receive.ts';
import { copyChangedFiles, requestAgain } from './request-again.ts';

/**
 * Makes an image again at no charge, because it hardly matches the product: a new generation with the same photos,
 * description and options, the next seed and, for a changed image, the same change of the same image. Idempotent: each generation is made again once, and a repeated request gets
 * the generation of the first one (docs/decisions/0052-made-again-at-no-charge.md).
 * @param id the generation to make again
 * @param network of the request
 * @returns the new generation
 * @throws AppError NOT_FOUND, REMAKE_NOT_OFFERED, REMAKE_LIMIT or UNPAID_CALLS; then neither row nor hold is left
 */
export async function remake(
  context: ServerContext,
  sellerId: string,
  id: string,
  network?: string,
): Promise<Accepted[]> {
  const { db } = context;
  const original = await findGeneration(db, sellerId, id);
  if (!original) throw new AppError('NOT_FOUND');
  if (remakeOffer(original) === null) throw new AppError('REMAKE_NOT_OFFERED');
  const received = await receive(context, {
    profile: sellerId,
    // A generation has this key once, which decides that it is made again once. No request can have it: it has a space.
    idempotencyKey: `${id} remake`,
    fingerprint: id,
    network,
    check: (profile) => checkRemakes(profile, new Date()),
    rows: () => [remakeOf(original)],
  });
  const accepted =
    received.outcome === 'repeated'
      ? await complete(context, received.first)
      : await accept(context, received.rows, {
          photos: async () => {
            await copyChangedFiles(context, original.change, received.rows[0].change);
            return parentPhotos(context, original);
          },
          holds: () => reserveRemake(db, received.profile, received.rows[0]),
        });
  await recordRemake(context, accepted[0]!.row);
  return accepted;
}

/** The row that makes a generation again. */
function remakeOf(original: GenerationRow): NewGeneration {
  const again = requestAgain(original, `${original._id} remake`);
  const { seed } = again.options;
  // The same seed would give the same image.
  const options = { ...again.options, seed: seed === null ? null : (seed + 1) % (limits.seed + 1) };
  return { ...again, options, remake_of: original._id };
}
