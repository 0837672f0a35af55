import { plans } from '#contract';
import { availableImages } from '#shared/credits/holds.ts';
import type { BillingChange } from '#shared/data/profiles/billing.ts';
import type { PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import type { BillingState, PaidInvoice } from './billing-state.ts';

/** The key of the ledger entry for the images of an invoice. */
export const grantKey = (invoice: PaidInvoice) => `invoice:${invoice.id}`;

/** Whether a grant is of a paid period: that of the free images has none. */
const isPaid = ({ key }: PendingLedgerEntry) => key.startsWith('invoice:');

/**
 * Adds the images of a paid period to a change. What is left of the period before is forfeited, except images on hold:
 * those generations still use them, and what they do not use lapses.
 */
export function grantImages({ set, grants, forfeits }: BillingChange, invoice: PaidInvoice, now: Date): void {
  const count = plans[invoice.period.plan].monthlyGenerations;
  const entry = { key: grantKey(invoice), period: invoice.period, at: now, posted: false };
  if (count === null) {
    // The plan has no monthly number: what is left stays until the next metered period.
    grants.push({ ...entry, count: 0 });
    return;
  }
  const left = availableImages(set);
  if (left > 0) forfeits.push({ ...entry, count: left });
  grants.push({ ...entry, count });
  set.forfeited += left;
  set.granted += count;
  set.generations_left += count - left;
  set.holds = set.holds.map((hold) => (hold.balance === 'metered' ? { ...hold, lapsed: true } : hold));
}

/**
 * Takes images back whose payment was refunded or is disputed, as far as they are left: images that were used or are on
 * hold stay. They are reinstated when the payment returns. Only the newest grant can have images left: those of older
 * ones were forfeited.
 */
export function applyRefund(
  change: BillingChange,
  profile: Pick<ProfileRow, 'grants' | 'refunds' | 'reinstates'>,
  state: BillingState,
  now: Date,
): void {
  const newest = [...profile.grants, ...change.grants].findLast((grant) => grant.count > 0 && isPaid(grant));
  const invoice = newest && state.paid.find((each) => grantKey(each) === newest.key);
  if (!newest || !invoice) return;
  const { set, refunds, reinstates } = change;
  const isOfNewest = ({ key }: PendingLedgerEntry) => key.startsWith(`${newest.key}:`);
  const takenBack = profile.refunds.filter(isOfNewest);
  const reinstated = profile.reinstates.filter(isOfNewest);
  const missing = sumOfCounts(takenBack) - sumOfCounts(reinstated);
  const entry = { period: newest.period, at: now, posted: false };
  if (invoice.refunded) {
    const count = Math.min(availableImages(set), newest.count - missing);
    if (count <= 0) return;
    refunds.push({ ...entry, key: `${newest.key}:${takenBack.length + 1}`, count });
    set.generations_left -= count;
    set.refunded += count;
  } else if (missing > 0) {
    reinstates.push({ ...entry, key: `${newest.key}:${reinstated.length + 1}`, count: missing });
    set.generations_left += missing;
    set.refunded -= missing;
  }
}

const sumOfCounts = (entries: readonly PendingLedgerEntry[]) =>
  entries.reduce((total, { count }) => total + count, 0);
