import { createHash } from 'node:crypto';
import { limits, plans } from '#contract';
import { requestLimits } from '#shared/contract/request-limits.ts';
import { usesHold } from '#shared/credits/holds.ts';
import {
  addUnpaidCalls,
  countUnpaidCalls,
  forgiveUnpaidCalls,
  networksThatStopped,
  recordStoppedByNetwork,
  type UnpaidCallsOwner,
} from '#shared/data/billing/unpaid-calls.ts';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { unpaidCallsCounted } from '#shared/metrics/metrics.ts';
import type { Config } from '#shared/platform/config.ts';
import { beginOfDay, dayOf, opensAgain } from '#shared/platform/days.ts';
import { AppError } from '#shared/platform/errors.ts';
import { networkTiers } from '#shared/platform/network-tiers.ts';
import { mayGenerate } from './holds.ts';
import { packImagesOf } from './pack-images.ts';
import { mayHaveUnmade } from './unmade.ts';

/*
 * The daily budget of calls to the image provider that no image of a seller pays for (docs/credits.md, "Unpaid calls";
 * docs/decisions/0082-unpaid-calls.md). Calls are counted when their generation is settled, and the budget is checked before
 * an image is accepted and before each call: so only calls that are under way can exceed it.
 */

interface UnpaidCallsContext {
  db: Db;
  config: Pick<Config, 'unpaidCallsFactor' | 'networkLimitFactor'>;
}

type Budgets = UnpaidCallsContext['config'];
type PlanFields = Parameters<typeof mayGenerate>[0] &
  Pick<ProfileRow, 'subscription_plan' | 'free_images' | 'pack_images'>;

const seller = (id: string): UnpaidCallsOwner => ({ kind: 'seller', id });
const ofNetwork = (id: string): UnpaidCallsOwner => ({ kind: 'network', id });
/** The networks in what {@link countedNetwork} gives, the smallest first. */
const ofNetworks = (network: string | undefined) => (network?.split(' ') ?? []).map(ofNetwork);
const whole = (number: number) => Math.max(1, Math.floor(number));

/** How many unpaid calls a seller may cause in a day. */
export function unpaidCallsAllowed(
  profile: PlanFields,
  { unpaidCallsFactor: factor }: Pick<Budgets, 'unpaidCallsFactor'>,
  now = new Date(),
): number {
  const { withoutPlan, partOfImages, withPlanLeast, unlimited } = limits.unpaidCalls;
  const part = (images: number) => Math.ceil(images * partOfImages);
  if (!mayGenerate(profile, now))
    return whole(Math.max(withoutPlan, part(profile.free_images.left + packImagesOf(profile).left)) * factor);
  const { monthlyGenerations: images } = plans[profile.subscription_plan];
  return whole((images === null ? unlimited : Math.max(withPlanLeast, part(images))) * factor);
}

/** How many unpaid calls the sellers without a plan may cause in a day, together: of one network, and of the wider ones. */
const allowedOfNetworks = ({ unpaidCallsFactor, networkLimitFactor }: Budgets) =>
  [1, requestLimits.widerNetworks[56], requestLimits.widerNetworks[48]].map((times) =>
    whole(limits.unpaidCalls.ofNetwork * times * unpaidCallsFactor * networkLimitFactor),
  );

/**
 * The networks whose counts a seller's images belong to, as they are stored: the hash of each, as in the rate limits, the
 * smallest network first, with a space between them.
 * @param network of the request; undefined if it is not the seller's
 * @returns undefined for a seller with a plan, who is not counted by network
 */
export function countedNetwork(
  profile: Parameters<typeof mayGenerate>[0],
  network: string | undefined,
): string | undefined {
  if (network === undefined || mayGenerate(profile, new Date())) return undefined;
  return networkTiers(network)
    .map((tier) => createHash('sha256').update(tier.network).digest('base64url'))
    .join(' ');
}

/** Whether any of the counts of a network and the wider ones has reached its number. */
const isAnyOver = (counts: readonly number[], budgets: Budgets) => {
  const allowed = allowedOfNetworks(budgets);
  return counts.some((count, index) => count >= allowed[index]!);
};

/** Which budget is used up; null for none. @param uncounted calls that are not counted yet */
async function usedUp(
  { db, config }: UnpaidCallsContext,
  profile: ProfileRow,
  network: string | undefined,
  uncounted = 0,
): Promise<UnpaidCallsOwner['kind'] | null> {
  const now = new Date();
  // Calls without an image count when their image has ended: most sellers have none today, and one with a plan no network.
  const counted = mayHaveUnmade(profile, beginOfDay(now)) ? [seller(profile._id)] : [];
  const owners = [...counted, ...ofNetworks(network)];
  const counts = owners.length === 0 ? [] : await countUnpaidCalls(db, owners, dayOf(now));
  const own = uncounted + (counted.length === 0 ? 0 : counts.shift()!);
  const ofAll = counts.map((count) => count + uncounted);
  const networkIsOver = isAnyOver(ofAll, config);
  if (own >= unpaidCallsAllowed(profile, config, now)) return 'seller';
  // Since it was submitted, the seller may have got a plan.
  return networkIsOver && !mayGenerate(profile, now) ? 'network' : null;
}

/**
 * Refuses an image while the unpaid calls of today are used up.
 * @param network as of {@link countedNetwork}
 * @throws AppError UNPAID_CALLS
 */
export async function checkUnpaidCalls(
  context: UnpaidCallsContext,
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  const over = await usedUp(context, profile, network);
  if (!over) return;
  const now = new Date();
  if (network !== undefined && over === 'network') {
    await recordStoppedByNetwork(context.db, profile._id, dayOf(now), network);
  }
  const whose = over === 'network' ? 'images from your network' : 'of your images';
  const { on, retryAfterSeconds } = opensAgain(now);
  const sooner = mayGenerate(profile, now) ? 'Contact us' : 'Choose a plan or contact us';
  throw new AppError('UNPAID_CALLS', {
    message: `Too many ${whose} today were stopped early or gave no result. You can create images again ${on}. ${sooner} if you need them sooner.`,
    retryAfterSeconds,
  });
}

/**
 * Whether a claimed generation may make no call now, because the unpaid calls of today are used up. Its own earlier calls,
 * which are counted when it ends, count here already.
 * @param profile its seller's, as it is now
 */
export async function hasUsedUpUnpaidCalls(
  context: UnpaidCallsContext,
  { network, calls }: Pick<GenerationRow, 'network' | 'calls'>,
  profile: ProfileRow,
): Promise<boolean> {
  return (await usedUp(context, profile, network, calls.started - 1)) !== null;
}

/** Calls of an ended generation that may have been executed and that no image pays for. */
const unpaidCallsOf = (row: Pick<GenerationRow, 'state' | 'charged' | 'calls'>): number =>
  usesHold(row) ? 0 : row.calls.started;

/** Counts the unpaid calls of a generation that has ended, on the day of its end. Idempotent. */
export async function countUnpaidCallsOf(db: Db, row: GenerationRow): Promise<void> {
  const count = unpaidCallsOf(row);
  if (count === 0 || !row.ended_at) return;
  const { _id: id, profile, network } = row;
  const day = dayOf(row.ended_at);
  const calls = Array.from({ length: count }, (_, index) => `${id} ${index + 1}`);
  const [isNew] = await Promise.all([
    addUnpaidCalls(db, seller(profile), day, calls),
    ...ofNetworks(network).map((owner) => addUnpaidCalls(db, owner, day, calls)),
  ]);
  if (isNew) unpaidCallsCounted.inc({ end: row.state === 'cancelled' ? 'cancelled' : 'failed' }, count);
}

/** A seller's unpaid calls of today, for operators. */
export interface UnpaidCallsToday {
  used: number;
  allowed: number;
  /** Whether the count of a network stopped the seller today. */
  stoppedByNetwork: boolean;
}

/** @returns a seller's unpaid calls of today */
export async function unpaidCallsToday(
  { db, config }: UnpaidCallsContext,
  profile: ProfileRow,
): Promise<UnpaidCallsToday> {
  const now = new Date();
  const [counts, networks] = await Promise.all([
    countUnpaidCalls(db, [seller(profile._id)], dayOf(now)),
    networksThatStopped(db, profile._id, dayOf(now)),
  ]);
  const allowed = unpaidCallsAllowed(profile, config, now);
  const ofEach = await Promise.all(
    networks.map((network) => countUnpaidCalls(db, ofNetworks(network), dayOf(now))),
  );
  const stoppedByNetwork = ofEach.some((each) => isAnyOver(each, config)) && !mayGenerate(profile, now);
  return { used: counts[0] ?? 0, allowed, stoppedByNetwork };
}

/** Resets today's count of a seller, and of the networks whose count stopped the seller today, with the wider ones. */
export async function resetUnpaidCalls(db: Db, sellerId: string): Promise<void> {
  const day = dayOf(new Date());
  const networks = await networksThatStopped(db, sellerId, day);
  await forgiveUnpaidCalls(db, [seller(sellerId), ...networks.flatMap(ofNetworks)], day);
}

/**
 * What a seller who has cancelled an image should know: that few unpaid calls are left today.
 * @param row the cancelled generation, counted
 * @returns undefined while there are more, and when the cancelled image does not count
 */
export async function unpaidCallsNotice(
  context: UnpaidCallsContext,
  row: GenerationRow,
): Promise<string | undefined> {
  if (unpaidCallsOf(row) === 0) return undefined;
  const profile = await findProfile(context.db, row.profile);
  if (!profile) return undefined;
  const { used, allowed } = await unpaidCallsToday(context, profile);
  const left = Math.max(0, allowed - used);
  if (left > limits.unpaidCalls.told) return undefined;
  if (left === 0)
    return 'Too many images were stopped early today. You can create images again at 00:00 UTC.';
  const images = left === 1 ? '1 more image' : `${left} more images`;
  return `You can stop ${images} early today. After that, you can create images again at 00:00 UTC.`;
}
