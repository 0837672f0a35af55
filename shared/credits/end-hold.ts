import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { type BalanceChange, endHold, monthOf, recordUnmade } from '#shared/data/profiles/holds.ts';
import type { Hold, ProfileRow } from '#shared/data/profiles/schema.ts';
import { countsInDay } from './daily-limit.ts';
import { postPendingEntries } from './ledger.ts';
import { owedPack } from './pack-images.ts';
import { newestGrant, nextEntry, takeBack } from './returned-images.ts';

/** How a hold ends: its images are used, they are not, or there is no generation that could have used them. */
type End = 'used' | 'unused' | 'no generation';

/** What the end of a hold does to the balance. */
function balanceChange({ generation, count, balance, lapsed }: Omit<Hold, 'at'>, end: End): BalanceChange {
  if (end !== 'used') {
    if (balance !== 'metered' || !lapsed) return { counters: {} };
    // With a colon a key is no generation's: the ledger has the forfeit, and nobody can look up what was never accepted.
    const key = end === 'no generation' ? `released:${generation}` : generation;
    // Everything else that was left of its period was forfeited at the renewal, so these images are too.
    return {
      counters: { generations_left: -count, forfeited: count },
      forfeit: { key, count, period: null, at: new Date(), posted: false },
    };
  }
  if (balance === 'metered') return { counters: { generations_left: -count, settled: count } };
  if (balance === 'free') return { counters: { 'free_images.left': -count, settled: count } };
  if (balance === 'pack') return { counters: { 'pack_images.left': -count, settled: count } };
  // Without a monthly number an image is granted when it is used, so `granted` stays the sum of the other
  // counters.
  const fairUse = lapsed ? 0 : count;
  return {
    counters: { granted: count, settled: count, settled_unlimited: count, 'fair_use.used': fairUse },
  };
}

/** What the release of a hold does when the payment of its images is returned: they are taken back in the same write. */
function takenBack(
  profile: ProfileRow,
  { balance, lapsed, count }: Hold,
  change: BalanceChange,
): BalanceChange {
  if (balance === 'pack') return packTakenBack(profile, count, change);
  if (balance !== 'metered' || lapsed) return change;
  const { revision, returned_grant: returned, grants } = profile;
  const grant = newestGrant(grants);
  const refund = grant && grant.key === returned ? takeBack(profile, grant, count, new Date()) : null;
  if (!refund) return { ...change, revision };
  return {
    counters: { generations_left: -refund.count, refunded: refund.count },
    refund,
    revision,
  };
}

/** The same for an image of a pack. */
function packTakenBack(profile: ProfileRow, count: number, change: BalanceChange): BalanceChange {
  const { revision } = profile;
  const owed = owedPack(profile);
  if (!owed) return { ...change, revision };
  const refund = nextEntry(profile.refunds, owed.pack, Math.min(count, owed.count), new Date());
  return {
    counters: { 'pack_images.left': -refund.count, refunded: refund.count },
    refund,
    revision,
  };
}

/**
 * Ends the hold of a generation that has ended, and takes it out of the count of its day unless it counts. Idempotent.
 * @param used whether the generation uses its images
 * @returns the profile after it, or null when there was no hold
 */
export async function settleHold(
  db: Db,
  generation: Pick<
    GenerationRow,
    '_id' | 'profile' | 'count' | 'held_on' | 'state' | 'failure' | 'calls' | 'ended_at'
  >,
  used: boolean,
): Promise<ProfileRow | null> {
  const { _id: id, profile: sellerId, count, held_on: balance } = generation;
  const counts = countsInDay(generation);
  const unmade = unmadeOf(generation);
  // Nearly every hold looks like this, which saves reading it first.
  const isReturnable = balance === 'metered' || balance === 'pack';
  if (counts && balance && balance !== 'remake' && (used || !isReturnable)) {
    const hold = { generation: id, count, balance, lapsed: false };
    const change = balanceChange(hold, used ? 'used' : 'unused');
    const profile = await endHold(db, sellerId, hold, { ...change, ...unmade });
    if (profile) return profile;
  }
  const profile = await endStoredHold(db, generation, used ? 'used' : 'unused', counts, unmade);
  if (!profile && unmade.unmadeAt) await recordUnmade(db, sellerId, unmade.unmadeAt);
  return profile;
}

/** What the end of a hold records of an image that was not made: not before it ended, whatever the clock of this process says. */
function unmadeOf({
  state,
  ended_at: endedAt,
}: Pick<GenerationRow, 'state' | 'ended_at'>): Pick<BalanceChange, 'unmadeAt'> {
  return state === 'succeeded' ? {} : { unmadeAt: new Date(Math.max(Date.now(), endedAt?.getTime() ?? 0)) };
}

/**
 * Ends a hold that has no generation: it was never accepted, or its batch ended before it began. Idempotent.
 * @returns the profile after it, or null when there was no hold
 */
export function releaseHold(
  db: Db,
  generation: Pick<GenerationRow, '_id' | 'profile'>,
): Promise<ProfileRow | null> {
  return endStoredHold(db, generation, 'no generation', false, {});
}

async function endStoredHold(
  db: Db,
  { _id: id, profile: sellerId }: Pick<GenerationRow, '_id' | 'profile'>,
  end: End,
  counts: boolean,
  unmade: Pick<BalanceChange, 'unmadeAt'>,
): Promise<ProfileRow | null> {
  for (;;) {
    const before = await findProfile(db, sellerId);
    const hold = before?.holds.find(({ generation }) => generation === id);
    if (!before || !hold) return null;
    const change = balanceChange(hold, end);
    const day = hold.counted_on;
    // Of an earlier day nothing is counted any more.
    const uncounted =
      !counts && day !== undefined && before.images_today?.day === day ? { uncountedDay: day } : {};
    const others = { ...uncounted, ...unmade };
    const profile =
      hold.balance === 'remake'
        ? await endRemakeHold(db, sellerId, hold, end === 'used', others)
        : await endHold(db, sellerId, hold, {
            ...(end === 'used' ? change : takenBack(before, hold, change)),
            ...others,
          });
    // Null: a renewal, a refund or the next day changed the profile after it was read.
    if (!profile) continue;
    if (profile.forfeits.length + profile.refunds.length > before.forfeits.length + before.refunds.length) {
      await postPendingEntries(db, sellerId);
    }
    return profile;
  }
}

/** Ends the hold of an image that is made again at no charge. If it was not made, it no longer counts in its month. */
async function endRemakeHold(
  db: Db,
  sellerId: string,
  hold: Hold,
  used: boolean,
  others: Pick<BalanceChange, 'uncountedDay' | 'unmadeAt'>,
): Promise<ProfileRow | null> {
  const { count, at } = hold;
  if (used) return endHold(db, sellerId, hold, { counters: { 'remakes.made': count }, ...others });
  const change = { counters: { 'remakes.used': -count }, remakesMonth: monthOf(at), ...others };
  // Null: another month is counted by now, or another day.
  return (
    (await endHold(db, sellerId, hold, change)) ?? endHold(db, sellerId, hold, { counters: {}, ...others })
  );
}
