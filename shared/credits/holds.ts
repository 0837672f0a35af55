import { generatingStatuses, hasEnded, plans } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, usesImage } from '#shared/data/generations/schema.ts';
import type { Hold, ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { postLedgerEntry, postPendingEntries } from './ledger.ts';

/*
 * Credits, exact whatever crashes (docs/credits.md). Each step is one atomic update of one document and does
 * nothing when it is done again, so whoever finds a step missing may simply do it. What comes in is billing's:
 * billing/apply.ts.
 */

/** What a generation takes part in credits with. */
export type Chargeable = Pick<GenerationRow, '_id' | 'profile' | 'count' | 'state' | 'charged'>;

/** Counts of the holds that fit, as an expression in a filter. */
const heldWhere = (condition: object) => ({
  $sum: {
    $map: {
      input: { $filter: { input: '$holds', as: 'hold', cond: condition } },
      as: 'hold',
      in: '$$hold.count',
    },
  },
});
const meteredHolds = heldWhere({ $eq: ['$$hold.metered', true] });
const unlimitedHolds = heldWhere({
  $and: [{ $eq: ['$$hold.metered', false] }, { $eq: ['$$hold.lapsed', false] }],
});

const sum = (holds: readonly Hold[]) => holds.reduce((total, hold) => total + hold.count, 0);

/** Images that can still be asked for under a limited plan: what is left minus what is held. */
export function availableImages(profile: Pick<ProfileRow, 'generations_left' | 'holds'>): number {
  return profile.generations_left - sum(profile.holds.filter((hold) => hold.metered));
}

/** Images that the unlimited plan has made or begun in this period. */
export function fairUseOf(profile: Pick<ProfileRow, 'fair_use' | 'holds'>): number {
  return profile.fair_use.used + sum(profile.holds.filter((hold) => !hold.metered && !hold.lapsed));
}

/** Whether the plan lets its seller generate: paid for, and active, trialing, or overdue within the grace period. */
export function mayGenerate(
  profile: Pick<ProfileRow, 'subscription_status' | 'grace_until' | 'period_refunded'>,
  now: Date,
): boolean {
  const { subscription_status: status, grace_until: graceUntil, period_refunded: refunded } = profile;
  if (refunded) return false;
  return (
    generatingStatuses.includes(status) || (status === 'past_due' && graceUntil !== null && graceUntil > now)
  );
}

const dateInWords = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Says early, before anything is uploaded or stored, what {@link placeHold} would refuse; the hold itself decides.
 * @param fairUse images that the unlimited plan may make in a period
 * @throws Refusal NO_SUBSCRIPTION, PAYMENT_OVERDUE, PAYMENT_RETURNED, NO_CREDITS or FAIR_USE, each with the way on
 */
export function checkCanGenerate(profile: ProfileRow, count: number, fairUse: number): void {
  if (!mayGenerate(profile, new Date())) {
    if (profile.subscription_status === 'past_due') throw new AppError('PAYMENT_OVERDUE');
    throw new AppError(profile.period_refunded ? 'PAYMENT_RETURNED' : 'NO_SUBSCRIPTION');
  }
  if (plans[profile.subscription_plan].monthlyGenerations === null) {
    if (fairUseOf(profile) + count > fairUse) throw new AppError('FAIR_USE');
  } else if (availableImages(profile) < count) {
    throw noCredits(profile);
  }
}

/** Names the date of the renewal, unless there will be none. */
function noCredits({ subscription_data: details }: ProfileRow): AppError {
  if (!details || details.cancel_at_period_end) return new AppError('NO_CREDITS');
  const renewal = dateInWords.format(details.current_period_end);
  return new AppError('NO_CREDITS', {
    message: `You have no images left. Upgrade your plan or wait for its renewal on ${renewal}.`,
  });
}

/**
 * Reserves images for a generation. Placed once: a second call for the same generation finds its hold and changes nothing.
 * @param fairUse images that the unlimited plan may make in a period
 * @returns the profile with the hold in it
 * @throws Refusal as {@link checkCanGenerate}, or UNAUTHENTICATED when the profile is gone
 */
export async function placeHold(db: Db, generation: Chargeable, fairUse: number): Promise<ProfileRow> {
  const { _id: id, profile: sellerId, count } = generation;
  const place = (metered: boolean) => ({
    $push: { holds: { generation: id, count, metered, lapsed: false, at: new Date() } },
    $inc: { revision: 1 },
  });
  const ready = () => ({
    _id: sellerId,
    deletion_asked_at: null,
    period_refunded: { $ne: true },
    $or: [
      { subscription_status: { $in: [...generatingStatuses] } },
      { subscription_status: 'past_due' as const, grace_until: { $gt: new Date() } },
    ],
    'holds.generation': { $ne: id },
  });
  for (;;) {
    const held =
      (await db.profiles
        .findOneAndUpdate(
          {
            ...ready(),
            subscription_plan: 'freelance',
            $expr: { $gte: [{ $subtract: ['$generations_left', meteredHolds] }, count] },
          },
          place(true),
          { returnDocument: 'after' },
        )
        .lean()) ??
      (await db.profiles
        .findOneAndUpdate(
          {
            ...ready(),
            subscription_plan: 'enterprise',
            $expr: { $lte: [{ $add: ['$fair_use.used', unlimitedHolds, count] }, fairUse] },
          },
          place(false),
          { returnDocument: 'after' },
        )
        .lean());
    if (held) return held;

    const current = await db.profiles.findById(sellerId).lean();
    if (!current || current.deletion_asked_at) throw new AppError('UNAUTHENTICATED');
    if (current.holds.some((hold) => hold.generation === id)) return current;
    checkCanGenerate(current, count, fairUse);
    // Nothing speaks against it now: the plan changed, or an image came back, between the attempts.
  }
}

/** What becomes of the balance when a hold ends. @param used whether its image is counted */
function endOf(hold: Hold, used: boolean): { $inc: Record<string, number>; $push?: object } {
  const { count, metered, lapsed } = hold;
  if (!used) {
    if (!metered || !lapsed) return { $inc: { revision: 1 } };
    // Its period is over, and what was left of that is forfeited: this image too.
    const forfeit = { key: hold.generation, count, period: null, at: new Date(), entered: false };
    return {
      $inc: { generations_left: -count, forfeited: count, revision: 1 },
      $push: { forfeits: forfeit },
    };
  }
  if (metered) return { $inc: { generations_left: -count, settled: count, revision: 1 } };
  // Unlimited: the image is granted as it is counted, so `granted = left + settled + forfeited` stays true.
  const fairUse = lapsed ? 0 : count;
  return {
    $inc: { granted: count, settled: count, settled_unlimited: count, 'fair_use.used': fairUse, revision: 1 },
  };
}

/** Ends a hold as it stands. @returns the profile after it, or null when there was no such hold */
async function endHold(db: Db, sellerId: string, hold: Hold, used: boolean): Promise<ProfileRow | null> {
  const { generation, count, metered, lapsed } = hold;
  return db.profiles
    .findOneAndUpdate(
      { _id: sellerId, holds: { $elemMatch: { generation, count, metered, lapsed } } },
      { ...endOf(hold, used), $pull: { holds: { generation } } },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Ends the hold of a generation, whatever it is like. Without a hold nothing happens, so it can be replayed.
 * @returns the profile after it, or null when there was no hold
 */
async function endHoldOf(
  db: Db,
  { _id: generation, profile: sellerId }: Pick<Chargeable, '_id' | 'profile'>,
  used: boolean,
): Promise<ProfileRow | null> {
  for (;;) {
    const current = await db.profiles.findOne({ _id: sellerId, 'holds.generation': generation }).lean();
    const hold = current?.holds.find((each) => each.generation === generation);
    if (!hold) return null;
    const after = await endHold(db, sellerId, hold, used);
    // Its period was renewed in between: it ends in another way now.
    if (!after) continue;
    if (hold.lapsed) await postPendingEntries(db, sellerId);
    return after;
  }
}

/** Gives a hold back: failure, free cancel, or a request that was never finished. @returns the profile after it, or null when there was no hold */
export function releaseHold(
  db: Db,
  generation: Pick<Chargeable, '_id' | 'profile'>,
): Promise<ProfileRow | null> {
  return endHoldOf(db, generation, false);
}

/**
 * Makes hold, ledger and row follow the decision on a generation that has ended. Every step may be replayed:
 * the worker does it right after deciding, the reconciler for whoever died in between.
 * @param onBalance told as soon as the balance is right, with the profile, or with null when it was right before:
 *   whoever hears of the end from then on reads the new balance
 * @param onEntered called once balance and ledger are right, and again whenever this is replayed
 * @throws when the generation has not ended
 */
export async function applyDecision(
  db: Db,
  generation: Chargeable,
  onBalance: (profile: ProfileRow | null) => Promise<void> = async () => {},
  onEntered: () => Promise<void> = async () => {},
): Promise<void> {
  if (!hasEnded(generation.state)) throw new Error(`generation ${generation._id} has not ended`);
  const { _id: key, profile: sellerId, count } = generation;
  const used = usesImage(generation);
  // Nearly every hold is one of these two: then there is nothing to read before its update.
  const usual = (metered: boolean) => ({ generation: key, count, metered, lapsed: false, at: new Date() });
  const profile =
    (await endHold(db, sellerId, usual(true), used)) ??
    (await endHold(db, sellerId, usual(false), used)) ??
    (await endHoldOf(db, generation, used));
  await onBalance(profile);
  const kind = used ? 'settle' : 'release';
  await postLedgerEntry(db, { profile: sellerId, kind, key, count, period: null, at: new Date() });
  await onEntered();
  await db.generations.updateOne({ _id: key }, { $unset: { settlement_due: 1 } });
}
