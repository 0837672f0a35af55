import type { Model, QueryFilter } from 'mongoose';
import { activities } from './accounts/activities.ts';
import { stripeEvents } from './billing/stripe-events.ts';
import type { Collection } from './collection.ts';
import { providerCosts } from './costs/provider-costs.ts';
import type { Db } from './db.ts';
import { notifications } from './notifications.ts';

/** What ends by itself, and the field that its age is counted from. Each has an index that begins with the field. */
const agingKinds = {
  activities: { collection: activities, field: 'at' },
  notifications: { collection: notifications, field: 'created_at' },
  stripeEvents: { collection: stripeEvents, field: 'handled_at' },
  costs: { collection: providerCosts, field: 'at' },
} as const satisfies Record<string, { collection: Collection; field: string }>;

/** A kind of rows that are removed when they are old. */
export type AgingKind = keyof typeof agingKinds;

/**
 * Removes the oldest rows of a kind.
 * @param before only those that are older; Stripe's events that were not handled never are
 * @param limit how many at most
 * @returns how many
 */
export async function removeOldest(db: Db, kind: AgingKind, before: Date, limit: number): Promise<number> {
  const { collection, field } = agingKinds[kind];
  const model = collection(db) as unknown as Model<{ _id: string }>;
  const old = { [field]: { $lt: before } } as QueryFilter<{ _id: string }>;
  const rows = await model
    .find(old)
    .sort({ [field]: 1 })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ _id }) => _id);
  // An event that an operator has handled again meanwhile is not old any more.
  return (await model.deleteMany({ _id: { $in: ids }, ...old })).deletedCount;
}
