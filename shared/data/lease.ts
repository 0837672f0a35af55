import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { updateRow } from './collection.ts';

/*
 * A lease is a date in a document: until then one process works on it alone. Its holder renews it or releases it; after
 * a crash it expires. A holder that was only slow may continue after its lease has expired, so its writes must be
 * conditional on something that the next holder changes: a fence, a number of attempts, or the lease's date.
 */

/** The field that holds a document's lease, unless it has several. */
const defaultField = 'lease_until';

interface LeaseOptions<Row> {
  /** The field of the lease; `lease_until` unless given. */
  field?: keyof Row & string;
  /** Further changes in the same write. */
  update?: UpdateQuery<Row>;
  /** Which document is taken when several match. */
  sort?: Record<string, 1 | -1>;
}

/** @returns whether a lease is held at a moment */
export function isLeased(leaseUntil: Date | null, now = new Date()): boolean {
  return leaseUntil !== null && leaseUntil > now;
}

/**
 * Takes the lease of one document that matches and that nobody holds, as one compare-and-set.
 * @param leaseMs how long the lease lasts unless it is renewed
 * @returns the document after the write, or null when none matches or all are held
 */
export async function takeLease<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  leaseMs: number,
  { field = defaultField as keyof Row & string, update = {}, sort }: LeaseOptions<Row> = {},
): Promise<Row | null> {
  const now = new Date();
  // Also matches null and absent fields, which are not after now.
  const free = { [field]: { $not: { $gt: now } } } as QueryFilter<Row>;
  const $set = { ...update.$set, [field]: new Date(now.getTime() + leaseMs) };
  return updateRow(model, { ...filter, ...free }, { ...update, $set } as UpdateQuery<Row>, { sort });
}

/**
 * Renews a lease.
 * @param holder matches the document only while the caller still holds it
 * @returns false when the caller has lost the document
 */
export async function renewLease<Row>(
  model: Model<Row>,
  holder: QueryFilter<Row>,
  leaseMs: number,
  field = defaultField as keyof Row & string,
): Promise<boolean> {
  const lease = { [field]: new Date(Date.now() + leaseMs) };
  const renewed = await model.updateOne(holder, { $set: lease } as UpdateQuery<Row>);
  return renewed.matchedCount === 1;
}

/**
 * Releases a lease.
 * @param holder matches the document only while the caller still holds it; else nothing is written
 */
export async function releaseLease<Row>(
  model: Model<Row>,
  holder: QueryFilter<Row>,
  { field = defaultField as keyof Row & string, update = {} }: Omit<LeaseOptions<Row>, 'sort'> = {},
): Promise<boolean> {
  const $set = { ...update.$set, [field]: null };
  const released = await model.updateOne(holder, { ...update, $set } as UpdateQuery<Row>);
  return released.matchedCount === 1;
}
