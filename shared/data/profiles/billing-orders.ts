import type { BillingOrderKind } from '#contract';
import { type Db, newId } from '#shared/data/db.ts';
import { retryDue } from '#shared/platform/retry.ts';
import { type ProfileRow, profiles } from './schema.ts';

/*
 * What an operator decided about the billing of a seller, while it is carried out at Stripe and afterwards
 * (docs/decisions/0100-bans-end-billing.md). Of several orders the last one counts.
 */

/** An operator's decision about a seller's billing. */
export type BillingOrder = NonNullable<ProfileRow['billing_order']>;

/** An order that is due at once. @param profile the seller, as the operator saw it */
export function newBillingOrder(
  kind: BillingOrderKind,
  { subscription_id: subscription }: Pick<ProfileRow, 'subscription_id'>,
): BillingOrder {
  const now = new Date();
  return {
    id: newId(),
    kind,
    subscription,
    asked_at: now,
    tries: 0,
    due_at: now,
    failure: null,
    done_at: null,
    ends_at: null,
  };
}

/** The orders that an order replaces: an end at once replaces one with the period, and never the other way round. */
const replaced: Readonly<Record<BillingOrderKind, readonly BillingOrderKind[]>> = {
  'end-now': ['end-with-period', 'renew'],
  'end-with-period': ['renew'],
  renew: ['end-now', 'end-with-period'],
};

/**
 * Gives an order for an account that is disabled already. One of the same kind stays.
 * @returns false if there is another one that it does not replace
 */
export async function placeBillingOrder(db: Db, sellerId: string, order: BillingOrder): Promise<boolean> {
  const { modifiedCount } = await profiles(db).updateOne(
    {
      _id: sellerId,
      disabled_at: { $exists: true },
      $or: [
        { billing_order: { $exists: false } },
        { 'billing_order.kind': { $in: [...replaced[order.kind]] } },
      ],
    },
    { $set: { billing_order: order } },
  );
  if (modifiedCount === 1) return true;
  return (await profiles(db).exists({ _id: sellerId, 'billing_order.kind': order.kind })) !== null;
}

/** @returns sellers with an order that is due, the ones due for longest first */
export async function findDueBillingOrders(db: Db, limit: number): Promise<string[]> {
  const rows = await profiles(db)
    .find({ 'billing_order.due_at': { $gt: new Date(0), $lte: new Date() } })
    .sort({ 'billing_order.due_at': 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/**
 * Counts a try before Stripe is asked, so that one during which this process crashes is repeated less and less often.
 * @returns the profile with the order; null if none is left to be carried out
 */
export async function beginBillingOrder(db: Db, sellerId: string): Promise<ProfileRow | null> {
  const waiting = { 'billing_order.due_at': { $gt: new Date(0) } };
  const tries = (
    await profiles(db)
      .findOne({ _id: sellerId, ...waiting })
      .lean()
  )?.billing_order?.tries;
  if (tries === undefined) return null;
  return profiles(db)
    .findOneAndUpdate(
      { _id: sellerId, ...waiting, 'billing_order.tries': tries, deletion_asked_at: null },
      { $set: { 'billing_order.due_at': retryDue(tries + 1), 'billing_order.tries': tries + 1 } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Records why a try failed. */
export async function failBillingOrder(db: Db, sellerId: string, id: string, failure: string): Promise<void> {
  await profiles(db).updateOne(
    { _id: sellerId, 'billing_order.id': id },
    { $set: { 'billing_order.failure': failure } },
  );
}

/** Records that an order is carried out. @param endsAt when billing ends or has ended; null if there was nothing to end */
export async function endBillingOrder(
  db: Db,
  sellerId: string,
  id: string,
  endsAt: Date | null,
): Promise<boolean> {
  const { modifiedCount } = await profiles(db).updateOne(
    { _id: sellerId, 'billing_order.id': id },
    {
      $set: {
        'billing_order.done_at': new Date(),
        'billing_order.ends_at': endsAt,
        'billing_order.failure': null,
      },
      $unset: { 'billing_order.due_at': '' },
    },
  );
  return modifiedCount === 1;
}

/** Has an order of a disabled account carried out again, because Stripe says what it does not allow. */
export async function reopenBillingOrder(db: Db, sellerId: string, id: string): Promise<void> {
  await profiles(db).updateOne(
    {
      _id: sellerId,
      disabled_at: { $exists: true },
      'billing_order.id': id,
      'billing_order.done_at': { $ne: null },
    },
    { $set: { 'billing_order.done_at': null, 'billing_order.due_at': new Date(), 'billing_order.tries': 0 } },
  );
}
