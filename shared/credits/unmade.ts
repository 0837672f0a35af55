import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { countUnmade } from '#shared/data/generations/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { mayGenerate } from './holds.ts';

/** Whether any image of a seller has failed or was cancelled since a moment: else there is nothing to count of them. */
export const mayHaveUnmade = ({ unmade_at: last }: Pick<ProfileRow, 'unmade_at'>, since: Date) =>
  last !== null && last >= since;

/**
 * Refuses a seller with too many images that failed or were cancelled: they cost nothing, and their photos are kept
 * (docs/decisions/0084-what-is-stored-unpaid.md). Requests at the same time may pass it by as many as the seller has images
 * available.
 * @throws AppError VALIDATION
 */
export async function checkUnmade(
  db: Db,
  profile: Pick<ProfileRow, '_id' | 'subscription_status' | 'grace_until' | 'period_refunded' | 'unmade_at'>,
): Promise<void> {
  if (profile.unmade_at === null) return;
  const now = new Date();
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const refuse = (count: number, message: string) => {
    throw new AppError('VALIDATION', { message: `${count.toLocaleString('en')} ${message}` });
  };
  if (
    mayHaveUnmade(profile, dayAgo) &&
    (await countUnmade(db, profile._id, { since: dayAgo }, limits.unmadeADay)) >= limits.unmadeADay
  ) {
    refuse(
      limits.unmadeADay,
      'of your images failed or were cancelled in the last 24 hours, which is the most. Please try again tomorrow.',
    );
  }
  if (mayGenerate(profile, now)) return;
  if ((await countUnmade(db, profile._id, 'kept', limits.unmadeWithoutPlan)) >= limits.unmadeWithoutPlan) {
    refuse(
      limits.unmadeWithoutPlan,
      'of your images failed or were cancelled, which is the most without a plan. Delete those that you no longer need, also from the trash.',
    );
  }
}
