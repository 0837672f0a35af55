import type { PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';

/*
 * Images whose payment was returned, by a refund or a dispute (docs/credits.md, "Returned payments"). Those that are
 * available are taken back when Stripe's state is read, those that are released later in the write that releases them.
 */

/** What was taken back and reinstated, and for which payments. */
type ReturnedImages = Pick<ProfileRow, 'refunds' | 'reinstates'>;

/** The key of the ledger entry for the images of an invoice. */
export const grantKey = (invoiceId: string) => `invoice:${invoiceId}`;

/** Whether a grant is of a paid period: that of the free images has none. */
const isPaid = ({ key }: PendingLedgerEntry) => key.startsWith('invoice:');

/** The only paid grant of which images can be left: those of older ones were forfeited. */
export const newestGrant = (grants: readonly PendingLedgerEntry[]) =>
  grants.findLast((grant) => grant.count > 0 && isPaid(grant));

const entriesOf = (grant: PendingLedgerEntry, entries: readonly PendingLedgerEntry[]) =>
  entries.filter(({ key }) => key.startsWith(`${grant.key}:`));

const sumOfCounts = (entries: readonly PendingLedgerEntry[]) =>
  entries.reduce((total, { count }) => total + count, 0);

/** Images of a grant that are taken back and not reinstated. */
export const missingOf = ({ refunds, reinstates }: ReturnedImages, grant: PendingLedgerEntry) =>
  sumOfCounts(entriesOf(grant, refunds)) - sumOfCounts(entriesOf(grant, reinstates));

/** The next entry about images of a grant in one of its lists: no other one has its key. */
export function nextEntry(
  list: readonly PendingLedgerEntry[],
  grant: PendingLedgerEntry,
  count: number,
  at: Date,
): PendingLedgerEntry {
  const key = `${grant.key}:${entriesOf(grant, list).length + 1}`;
  return { key, count, period: grant.period, at, posted: false };
}

/**
 * The entry that takes images of a returned payment back.
 * @param count images that are available, or become so
 * @returns null when there are none, or all of the grant are taken back
 */
export function takeBack(
  profile: ReturnedImages,
  grant: PendingLedgerEntry,
  count: number,
  at: Date,
): PendingLedgerEntry | null {
  const taken = Math.min(count, grant.count - missingOf(profile, grant));
  return taken > 0 ? nextEntry(profile.refunds, grant, taken, at) : null;
}
