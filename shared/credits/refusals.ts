import type { Db } from '#shared/data/db.ts';
import { countRefusals } from '#shared/data/generations/refusals.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import { beginOfDay, opensAgain } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { mayHaveUnmade } from './unmade.ts';

/**
 * Refuses images of a seller whom moderation has refused too often today. Without the setting it asks nothing.
 * @throws AppError TOO_MANY_REFUSALS
 */
export async function checkRefusals(
  { db, config }: { db: Db; config: Pick<Config, 'refusalsADay'> },
  profile: Pick<ProfileRow, '_id' | 'unmade_at'>,
): Promise<void> {
  const now = new Date();
  const today = beginOfDay(now);
  if (config.refusalsADay === 0 || !mayHaveUnmade(profile, today)) return;
  const count = await countRefusals(db, profile._id, today);
  if (count < config.refusalsADay) return;
  const { on, retryAfterSeconds } = opensAgain(now);
  throw new AppError('TOO_MANY_REFUSALS', {
    message: `The content policy of our image service declined ${count} of your images today. To protect the service for everybody, you can create images again ${on}. Contact us if you think this is a mistake.`,
    retryAfterSeconds,
  });
}
