import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Schema } from 'mongoose';
import { limits, webhookEventNames } from '#contract';
import { collection, insertRow } from '#shared/data/collection.ts';
import { type Db, isDuplicateKey } from '#shared/data/db.ts';
import { type ProfileRow, profiles } from '#shared/data/profiles/schema.ts';
import { date, nullableDate, nullableText, number, type Row, rowOptions, text } from '#shared/data/row.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { writeLater } from '#shared/data/write-later.ts';

const event = {
  /** The header `webhook-id`, made from what happened: an event is recorded once, however often that is tried. */
  _id: text,
  /** The seller's id. */
  profile: text,
  /**
   * Its place among the seller's events, from 1, without gaps. Each is recorded after the one before can be read, so a reader that
   * goes on from a place misses none.
   */
  place: number,
  type: { type: String, enum: webhookEventNames, required: true },
  /** The id of what it is about. */
  object: text,
  /** What is sent, byte for byte; null once what it is about was deleted for ever. */
  body: nullableText,
  created_at: date,
  /** Null of the last one, which stays: the next one follows it, however late. */
  remove_at: nullableDate,
} as const;

/** Something that programs of a seller are told (docs/decisions/0140-events-as-a-stream.md). */
export interface SellerEventRow extends Row<typeof event> {}

const eventSchema = new Schema<SellerEventRow>(event, rowOptions);
eventSchema.index({ profile: 1, place: 1 }, { unique: true });
eventSchema.index({ profile: 1, object: 1 });
eventSchema.index({ remove_at: 1 }, { expireAfterSeconds: 0 });

export const sellerEvents = collection<SellerEventRow>('seller_events', eventSchema, 'beside');

/** How long an event is kept after the next one, in ms: an hour more than is promised, for clocks that differ. */
const keptMs = limits.apiEventDays * 86_400_000 + 3_600_000;

/** After each place that another event took, the wait before the next try is up to this longer, in ms: about what a try takes. */
const lostMs = 3;

/** The header `webhook-id` of what happened once. @param key what happened, unlike for everything else */
export const eventIdOf = (key: string) =>
  `msg_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

/** Whether what programs are told of a seller is recorded: from the first API key or webhook on; of test sellers always. */
export const hasEvents = ({ _id, events_since: since }: Pick<ProfileRow, '_id' | 'events_since'>) =>
  isTestSeller(_id) || since !== undefined;

/** Whether a seller has, or had, a webhook. */
export const hadWebhooks = ({ _id, webhooks_since: since }: Pick<ProfileRow, '_id' | 'webhooks_since'>) =>
  isTestSeller(_id) || since !== undefined;

/**
 * Records that what programs are told of a seller is recorded from now on. Must be called before a key can be used or a webhook is
 * told of anything: what ends a hold afterwards sees it in the profile. Idempotent.
 * @param forWebhook whether webhooks are told as well
 */
export async function beginEvents(db: Db, sellerId: string, forWebhook = false): Promise<void> {
  if (isTestSeller(sellerId)) return;
  const now = new Date();
  const since = { events_since: now, ...(forWebhook && { webhooks_since: now }) };
  await profiles(db).updateOne({ _id: sellerId }, { $min: since });
}

/** What an event is made of. */
export type NewEvent = Pick<SellerEventRow, '_id' | 'profile' | 'type' | 'object'> & { body: string };

/** So many events before a new one get a time for their removal, if they have none: a crash may have lost some of them. */
const endedTogether = 20;

/** Records an event after all others of its seller. Idempotent. @returns it as it was recorded first */
export async function recordEvent(db: Db, parts: NewEvent): Promise<SellerEventRow> {
  const row = await insertLast(db, parts);
  // Not awaited: what is lost is written with the next event.
  writeLater(db, sellerEvents, {
    updateMany: {
      filter: {
        profile: row.profile,
        place: { $gte: row.place - endedTogether, $lt: row.place },
        remove_at: null,
      },
      update: { $set: { remove_at: new Date(row.created_at.getTime() + keptMs) } },
    },
  }).catch(() => {});
  return row;
}

async function insertLast(db: Db, parts: NewEvent): Promise<SellerEventRow> {
  for (let lost = 1; ; lost += 1) {
    const last = await findLastEvent(db, parts.profile);
    const row: SellerEventRow = {
      ...parts,
      place: (last?.place ?? 0) + 1,
      created_at: new Date(),
      remove_at: null,
    };
    try {
      await insertRow(sellerEvents(db), row);
      return row;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const known = await findEvent(db, parts.profile, parts._id);
      if (known) return known;
      // Another event took this place; many at once would all try the next one.
      await wait(Math.random() * lostMs * lost);
    }
  }
}

/** @returns a seller's own event; null when there is none */
export function findEvent(db: Db, sellerId: string, id: string): Promise<SellerEventRow | null> {
  return sellerEvents(db).findOne({ _id: id, profile: sellerId }).lean<SellerEventRow>();
}

/** @returns the last event of a seller, without its body; null before the first */
export function findLastEvent(
  db: Db,
  sellerId: string,
): Promise<Pick<SellerEventRow, '_id' | 'place'> | null> {
  return sellerEvents(db)
    .findOne({ profile: sellerId })
    .sort({ place: -1 })
    .select({ place: 1 })
    .lean<SellerEventRow>();
}

/** @returns at most `limit` events of a seller after a place, in their order */
export function listEventsAfter(
  db: Db,
  sellerId: string,
  place: number,
  limit: number,
): Promise<SellerEventRow[]> {
  return sellerEvents(db)
    .find({ profile: sellerId, place: { $gt: place } })
    .sort({ place: 1 })
    .limit(limit)
    .lean<SellerEventRow[]>();
}

/** Forgets what events of a seller say about an object that is deleted for ever. Their places stay. */
export async function forgetEventsAbout(db: Db, sellerId: string, object: string): Promise<void> {
  await sellerEvents(db).updateMany({ profile: sellerId, object }, { $set: { body: null } });
}

/** A seller's events, in their order. */
export function eventsOf(db: Db, sellerId: string): AsyncIterable<SellerEventRow> {
  return sellerEvents(db).find({ profile: sellerId }).sort({ place: 1 }).lean<SellerEventRow[]>().cursor();
}

/** Removes the events of a seller. */
export async function removeEventsOf(db: Db, sellerId: string): Promise<void> {
  await sellerEvents(db).deleteMany({ profile: sellerId });
}
