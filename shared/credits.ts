import { generatingStatuses, hasEnded } from './contract/index.ts';
import { type Data, isDuplicateKey, newId } from './data/connect.ts';
import type { CreditEntryKind } from './data/credit-entry.ts';
import type { GenerationRow } from './data/generation.ts';
import type { ProfileRow } from './data/profile.ts';
import { Refusal } from './errors.ts';

/*
 * Credits, exact whatever crashes (design.md, "Credits"). Each step is one atomic update of one document and does
 * nothing when it is done again, so whoever finds a step missing may simply do it.
 */

/** What a generation takes part in credits with. */
export type Chargeable = Pick<GenerationRow, '_id' | 'profile' | 'count' | 'state'>;

const meteredHolds = {
  $sum: {
    $map: {
      input: { $filter: { input: '$holds', as: 'hold', cond: '$$hold.metered' } },
      as: 'hold',
      in: '$$hold.count',
    },
  },
};

/** Images that can still be asked for under a limited plan: what is left minus what is held. */
export function availableImages(profile: Pick<ProfileRow, 'generations_left' | 'holds'>): number {
  const held = profile.holds.filter((hold) => hold.metered).reduce((sum, hold) => sum + hold.count, 0);
  return profile.generations_left - held;
}

/**
 * Says early, before anything is uploaded or stored, what {@link holdCredit} would refuse; the hold itself decides.
 * @throws Refusal NO_SUBSCRIPTION or NO_CREDITS
 */
export function checkCredit(profile: ProfileRow, count: number): void {
  if (!generatingStatuses.includes(profile.subscription_status)) throw new Refusal('NO_SUBSCRIPTION');
  if (profile.subscription_plan === 'freelance' && availableImages(profile) < count) {
    throw new Refusal('NO_CREDITS');
  }
}

/**
 * Reserves images for a generation. Placed once: a second call for the same generation finds its hold and changes nothing.
 * @returns the profile with the hold in it
 * @throws Refusal NO_SUBSCRIPTION, NO_CREDITS, or UNAUTHENTICATED when the profile is gone
 */
export async function holdCredit(data: Data, generation: Chargeable): Promise<ProfileRow> {
  const { _id: id, profile, count } = generation;
  const place = (metered: boolean) => ({
    $push: { holds: { generation: id, count, metered, at: new Date() } },
    $inc: { revision: 1 },
  });
  const ready = {
    _id: profile,
    subscription_status: { $in: [...generatingStatuses] },
    'holds.generation': { $ne: id },
  };
  const held =
    (await data.profiles
      .findOneAndUpdate(
        {
          ...ready,
          subscription_plan: 'freelance',
          $expr: { $gte: [{ $subtract: ['$generations_left', meteredHolds] }, count] },
        },
        place(true),
        { returnDocument: 'after' },
      )
      .lean()) ??
    (await data.profiles
      .findOneAndUpdate({ ...ready, subscription_plan: 'enterprise' }, place(false), {
        returnDocument: 'after',
      })
      .lean());
  if (held) return held;

  const current = await data.profiles.findById(profile).lean();
  if (!current) throw new Refusal('UNAUTHENTICATED');
  if (current.holds.some((hold) => hold.generation === id)) return current;
  if (!generatingStatuses.includes(current.subscription_status)) throw new Refusal('NO_SUBSCRIPTION');
  throw new Refusal('NO_CREDITS');
}

/**
 * Counts a generation that succeeded: its hold becomes a debit. Without a hold nothing happens, so it can be replayed.
 * @returns the profile after it, or null when there was no hold
 */
async function settleHold(data: Data, generation: Chargeable): Promise<ProfileRow | null> {
  const { _id: id, profile, count } = generation;
  const pull = { $pull: { holds: { generation: id } } };
  const holding = (metered: boolean) => ({
    _id: profile,
    holds: { $elemMatch: { generation: id, count, metered } },
  });
  return (
    (await data.profiles
      .findOneAndUpdate(
        holding(true),
        { ...pull, $inc: { generations_left: -count, settled: count, revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean()) ??
    // Unlimited: the image is granted as it is counted, so `granted = left + settled + forfeited` stays true.
    (await data.profiles
      .findOneAndUpdate(
        holding(false),
        { ...pull, $inc: { granted: count, settled: count, settled_unlimited: count, revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean())
  );
}

/** Gives a hold back: failure, cancel, or a request that was never finished. @returns the profile after it, or null when there was no hold */
export async function releaseHold(
  data: Data,
  generation: Pick<Chargeable, '_id' | 'profile'>,
): Promise<ProfileRow | null> {
  return data.profiles
    .findOneAndUpdate(
      { _id: generation.profile, 'holds.generation': generation._id },
      { $pull: { holds: { generation: generation._id } }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/**
 * Makes hold, ledger and row follow the decision on a generation that has ended. Every step may be replayed:
 * the worker does it right after deciding, the reconciler for whoever died in between.
 * @param onBalance told as soon as the balance is right, with the profile, or with null when it was right before:
 *   whoever hears of the end from then on reads the new balance
 * @throws when the generation has not ended
 */
export async function applyDecision(
  data: Data,
  generation: Chargeable,
  onBalance: (profile: ProfileRow | null) => Promise<void> = async () => {},
): Promise<void> {
  if (!hasEnded(generation.state)) throw new Error(`generation ${generation._id} has not ended`);
  const succeeded = generation.state === 'succeeded';
  const profile = succeeded ? await settleHold(data, generation) : await releaseHold(data, generation);
  await onBalance(profile);
  await enterLedger(data, {
    profile: generation.profile,
    kind: succeeded ? 'settle' : 'release',
    key: generation._id,
    count: generation.count,
  });
  await data.generations.updateOne({ _id: generation._id }, { $unset: { settlement_due: 1 } });
}

/**
 * Adds images to a balance, once for a key: a key that was used before changes nothing.
 * @param grant key: what it is for, such as an invoice's id; count: images
 * @returns the profile when it was added now, else null
 */
export async function grantCredits(
  data: Data,
  grant: { profile: string; key: string; count: number },
): Promise<ProfileRow | null> {
  const profile = await data.profiles
    .findOneAndUpdate(
      { _id: grant.profile, 'grants.key': { $ne: grant.key } },
      {
        $push: { grants: { key: grant.key, count: grant.count, at: new Date(), entered: false } },
        $inc: { generations_left: grant.count, granted: grant.count, revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean();
  await enterGrant(data, grant);
  return profile;
}

/** Writes the ledger's line of a grant, as it stands in the profile; may be replayed. */
export async function enterGrant(data: Data, grant: { profile: string; key: string }): Promise<void> {
  const granted = { _id: grant.profile, 'grants.key': grant.key };
  // What was added the first time counts, whatever a replay says.
  const profile = await data.profiles.findOne(granted, { 'grants.$': 1 }).lean();
  const count = profile?.grants[0]?.count;
  if (count === undefined) return;
  await enterLedger(data, { profile: grant.profile, key: grant.key, kind: 'grant', count });
  await data.profiles.updateOne(granted, { $set: { 'grants.$.entered': true } });
}

async function enterLedger(
  data: Data,
  entry: { profile: string; kind: CreditEntryKind; key: string; count: number },
): Promise<void> {
  const { profile, kind, key, count } = entry;
  try {
    await data.creditEntries.collection.insertOne({
      _id: newId() as never,
      profile,
      kind,
      key,
      count,
      at: new Date(),
    });
  } catch (error) {
    // Unique on key and kind: somebody else has written this very line.
    if (!isDuplicateKey(error)) throw error;
  }
}
