import { accept } from '#server/generations/accept.ts';
import { parentPhotos } from '#server/generations/parent-photos.ts';
import { receive } from '#server/generations/receive.ts';
import { copyChangedFiles, requestAgain } from '#server/generations/request-again.ts';
import type { ServerContext } from '#server/http/context.ts';
import { checkCanGenerate } from '#shared/credits/holds.ts';
import { reserveImages } from '#shared/credits/reserve.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Makes a failed generation again for its seller, who was not charged for it: a new generation on the seller's images, as
 * if the seller had submitted it again. Each generation is retried once; the new one can be retried in turn.
 * @returns the new generation
 * @throws AppError NOT_REPEATABLE, or why the seller may not generate (NO_CREDITS and the like)
 */
export async function retryGeneration(
  context: ServerContext,
  original: GenerationRow,
): Promise<GenerationRow> {
  const { db, config } = context;
  const { fairUse } = config.billing;
  if (original.state !== 'failed' || original.deletion) throw new AppError('NOT_REPEATABLE');
  // No request can have this key: it has a space.
  const key = `${original._id} retry`;
  const received = await receive(context, {
    profile: original.profile,
    idempotencyKey: key,
    fingerprint: original._id,
    check: (profile) => checkCanGenerate(profile, 1, fairUse),
    rows: () => [requestAgain(original, key)],
  });
  if (received.outcome === 'repeated') throw new AppError('NOT_REPEATABLE');
  const { rows, profile } = received;
  const [accepted] = await accept(context, rows, {
    photos: async () => {
      await copyChangedFiles(context, original.change, rows[0].change);
      return parentPhotos(context, original);
    },
    holds: () => reserveImages(db, profile, rows, fairUse),
  });
  return accepted!.row;
}
