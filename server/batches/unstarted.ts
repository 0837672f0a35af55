import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { mayGenerate } from '#shared/credits/holds.ts';
import { sumUnstartedBytes } from '#shared/data/batches/batches.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/*
 * What may be stored for batches that nobody has paid for yet: only with an image that is available, and only so many bytes
 * (docs/decisions/0084-what-is-stored-unpaid.md).
 */

/**
 * Checks that a seller's batches that are not started take no more than they may. What is to be stored is counted before,
 * so of requests at the same time none passes the limit; near it, two may both be refused.
 * @param more bytes that are to be stored and are not counted yet
 * @throws AppError BATCH_LIMIT
 */
export async function checkUnstartedBytes(
  { db }: Pick<ServerContext, 'db'>,
  profile: ProfileRow,
  more = 0,
): Promise<void> {
  const hasPlan = mayGenerate(profile, new Date());
  const most = hasPlan ? limits.unstartedBytes : limits.unstartedBytesWithoutPlan;
  if ((await sumUnstartedBytes(db, profile._id)) + more <= most) return;
  const size = most < 1024 ** 3 ? `${most / 1024 ** 2} MB` : `${most / 1024 ** 3} GB`;
  throw new AppError('BATCH_LIMIT', {
    message: hasPlan
      ? `Photos and tables of batches that are not started can take up ${size}. Start or delete one of them first.`
      : `Without a plan, photos and tables of batches that are not started can take up ${size}. Start or delete one of them, or choose a plan.`,
  });
}
