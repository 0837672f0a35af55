import { plans } from '#contract';
import { availableImages } from '#shared/credits/holds.ts';
import { grantKey, missingOf, newestGrant, nextEntry, takeBack } from '#shared/credits/returned-images.ts';
import type { BillingChange } from '#shared/data/profiles/billing.ts';
import type { Hold, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState, PaidInvoice } from './billing-state.ts';

const isWaitingOnPlan = ({ balance, waiting }: Hold) => balance === 'metered' && waiting === true;

/**
 * Adds the images of a paid period to a change. What is left of the period before is forfeited, except images of generations
 * that are under way: those still use them, and what they do not use lapses. Images of batches that wait are on hold in the
 * new period instead, as many as it has.
 */
export function grantImages({ set, grants, forfeits }: BillingChange, invoice: PaidInvoice, now: Date): void {
  const count = plans[invoice.period.plan].monthlyGenerations;
  const entry = { key: grantKey(invoice.id), period: invoice.period, at: now, posted: false };
  if (count === null) {
    // The plan has no monthly number: what is left stays until the next metered period.
    grants.push({ ...entry, count: 0 });
    return;
  }
  const waiting = set.holds.filter(isWaitingOnPlan);
  set.holds = set.holds.filter((hold) => !isWaitingOnPlan(hold));
  const left = availableImages(set);
  if (left > 0) forfeits.push({ ...entry, count: left });
  grants.push({ ...entry, count });
  set.forfeited += left;
  set.granted += count;
  set.generations_left += count - left;
  set.holds = set.holds.map((hold) => (hold.balance === 'metered' ? { ...hold, lapsed: true } : hold));
  let room = count;
  for (const hold of waiting) {
    const kept = Math.min(room, hold.count);
    room -= kept;
    if (kept > 0) set.holds.push({ ...hold, count: kept, lapsed: false });
  }
}

/**
 * Takes images back whose payment was refunded or is disputed: those that are left, and those on hold for images of batches
 * that wait. Images that were used stay, and those of generations that are under way until they are released. They are
 * reinstated when the payment returns.
 */
export function applyRefund(
  change: BillingChange,
  profile: Pick<ProfileRow, 'grants' | 'refunds' | 'reinstates'>,
  state: BillingState,
  now: Date,
): void {
  const newest = newestGrant([...profile.grants, ...change.grants]);
  const invoice = newest && state.paid.find(({ id }) => grantKey(id) === newest.key);
  if (!newest || !invoice) return;
  const { set, refunds, reinstates } = change;
  set.returned_grant = invoice.refunded ? newest.key : null;
  if (invoice.refunded) {
    set.holds = set.holds.filter((hold) => !isWaitingOnPlan(hold));
    const entry = takeBack(profile, newest, availableImages(set), now);
    if (!entry) return;
    refunds.push(entry);
    set.generations_left -= entry.count;
    set.refunded += entry.count;
    return;
  }
  const missing = missingOf(profile, newest);
  if (missing === 0) return;
  reinstates.push(nextEntry(profile.reinstates, newest, missing, now));
  set.generations_left += missing;
  set.refunded -= missing;
}
