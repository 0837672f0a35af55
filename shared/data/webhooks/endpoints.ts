import { Schema } from 'mongoose';
import { limits, type WebhookEvent, webhookEventNames, webhookOffReasons } from '#contract';
import { collection } from '#shared/data/collection.ts';
import { type Db, newId } from '#shared/data/db.ts';
import { insertIntoFreePlace } from '#shared/data/free-place.ts';
import { takeLease } from '#shared/data/lease.ts';
import {
  date,
  nullableDate,
  number,
  optional,
  partOptions,
  type Row,
  rowOptions,
  text,
} from '#shared/data/row.ts';
import { beginEvents } from './events.ts';

/** A secret that was replaced, and until when it signs as well. */
const previousSecret = new Schema({ secret: text, until: date }, partOptions);

const endpoint = {
  _id: text,
  /** The seller's id. */
  profile: text,
  /** One of the seller's places for webhooks, from 0 to `limits.webhooks` - 1. */
  slot: number,
  url: text,
  events: { type: [{ type: String, enum: webhookEventNames }], required: true },
  /** The version of the API in which it is told. */
  version: text,
  /** Sealed for its id (shared/platform/seal.ts). */
  secret: text,
  /** The secret before. */
  previous_secret: { type: previousSecret, default: null },
  /** Those before that one which had not ended when it was replaced, the newest first; processes of the release before do not know them. */
  earlier_secrets: { type: [previousSecret], ...optional, default: undefined },
  created_at: date,
  /** Since when it has its address and its secret. */
  unchanged_since: date,
  /** Why it is told nothing; null while it is. */
  off: {
    type: new Schema(
      { reason: { type: String, enum: webhookOffReasons, required: true }, at: date },
      partOptions,
    ),
    default: null,
  },
  /** Since when each try has failed, when the last one did, and how many; null if the last one succeeded. */
  failing: { type: new Schema({ since: date, last: date, tries: number }, partOptions), default: null },
  /** While one worker sends to it. */
  lease_until: nullableDate,
  /** After a failed try nothing is sent before then, so that an endpoint that hangs takes little of a worker. */
  rest_until: nullableDate,
};

/** An address of a seller that is told of events (docs/decisions/0136-webhooks.md). */
export interface WebhookEndpointRow extends Omit<Row<typeof endpoint>, 'events'> {
  events: WebhookEvent[];
}

const endpointSchema = new Schema<WebhookEndpointRow>(endpoint, rowOptions);
// Two webhooks of a seller never have the same place, so there are never more than places.
endpointSchema.index({ profile: 1, slot: 1 }, { unique: true });
// Servers find those that are sealed with an older key.
endpointSchema.index({ secret: 1 });

export const webhookEndpoints = collection<WebhookEndpointRow>('webhook_endpoints', endpointSchema, 'beside');

/** What a new webhook consists of. @returns its secret, sealed for its id */
export type NewWebhook = Pick<WebhookEndpointRow, 'url' | 'events' | 'version'> & {
  sealedFor(id: string): string;
};

/** @returns null when a seller has `limits.webhooks` already */
export async function insertWebhook(
  db: Db,
  sellerId: string,
  { sealedFor, ...fields }: NewWebhook,
): Promise<WebhookEndpointRow | null> {
  const id = newId();
  const now = new Date();
  const secret = sealedFor(id);
  const row = { ...fields, _id: id, profile: sellerId, secret, created_at: now, unchanged_since: now };
  await beginEvents(db, sellerId, true);
  const list = () => listWebhooks(db, sellerId);
  return insertIntoFreePlace(list, limits.webhooks, async (slot) =>
    slot === undefined ? null : (await webhookEndpoints(db).create({ ...row, slot })).toObject(),
  );
}

/** A seller's webhooks, by their places. */
export function listWebhooks(db: Db, sellerId: string): Promise<WebhookEndpointRow[]> {
  return webhookEndpoints(db).find({ profile: sellerId }).sort({ slot: 1 }).lean<WebhookEndpointRow[]>();
}

/** The ids of a seller's webhooks that are on and told of an event. */
export async function webhooksToldOf(db: Db, sellerId: string, event: WebhookEvent): Promise<string[]> {
  const rows = await webhookEndpoints(db)
    .find({ profile: sellerId, events: event, off: null })
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/** @returns a seller's own webhook, or null */
export function findWebhook(db: Db, sellerId: string, id: string): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(db).findOne({ _id: id, profile: sellerId }).lean<WebhookEndpointRow>();
}

/** A webhook by its id alone, for the workers. */
export function findAnyWebhook(db: Db, id: string): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(db).findById(id).lean<WebhookEndpointRow>();
}

/** Forgets that it failed, so that the next event is sent at once. */
const asNew = { off: null, failing: null, rest_until: null };

/**
 * Changes a seller's own webhook. Another address, and switching it on, forget that it failed.
 * @returns it as it is then; null when there is none
 */
export async function changeWebhook(
  db: Db,
  sellerId: string,
  id: string,
  {
    url,
    events,
    enabled,
  }: { url?: string | undefined; events?: WebhookEvent[] | undefined; enabled?: boolean | undefined },
): Promise<WebhookEndpointRow | null> {
  const row = await findWebhook(db, sellerId, id);
  if (!row) return null;
  const $set = {
    ...(url !== undefined &&
      url !== row.url && { url, unchanged_since: new Date(), failing: null, rest_until: null }),
    ...(events !== undefined && { events }),
    ...(enabled === true && asNew),
    ...(enabled === false && { off: { reason: 'seller' as const, at: new Date() } }),
  };
  return webhookEndpoints(db)
    .findOneAndUpdate({ _id: id, profile: sellerId }, { $set }, { returnDocument: 'after' })
    .lean<WebhookEndpointRow>();
}

/** Secrets before the present one that may sign at a time. */
export const mostPreviousSecrets = 5;

/** The secrets before the present one that still sign at a time, the newest first. */
const previousSecretsAt = (
  { previous_secret, earlier_secrets = [] }: Pick<WebhookEndpointRow, 'previous_secret' | 'earlier_secrets'>,
  at: Date,
) => [...(previous_secret ? [previous_secret] : []), ...earlier_secrets].filter(({ until }) => until > at);

/** The secrets of a webhook that sign at a time, sealed, the newest first. */
export const secretsAt = (row: WebhookEndpointRow, at: Date): string[] => [
  row.secret,
  ...previousSecretsAt(row, at).map(({ secret }) => secret),
];

/**
 * Gives a seller's own webhook another secret. The one before signs as well until a time, and each of those before that one until its
 * own: the receiver may have any of them.
 * @returns it, or when one of the secrets before ends if there are as many as may be; null when there is no such webhook
 */
export async function rotateSecret(
  db: Db,
  sellerId: string,
  id: string,
  secret: string,
  until: Date,
): Promise<WebhookEndpointRow | { fullUntil: Date } | null> {
  for (;;) {
    const row = await findWebhook(db, sellerId, id);
    if (!row) return null;
    const earlier = previousSecretsAt(row, new Date());
    if (earlier.length >= mostPreviousSecrets) return { fullUntil: earlier.at(-1)!.until };
    const previous = { secret: row.secret, until };
    const changed = await webhookEndpoints(db)
      .findOneAndUpdate(
        { _id: id, profile: sellerId, secret: row.secret },
        {
          $set: {
            secret,
            unchanged_since: new Date(),
            previous_secret: previous,
            earlier_secrets: earlier,
          },
        },
        { returnDocument: 'after' },
      )
      .lean<WebhookEndpointRow>();
    // Otherwise another request has changed it in between.
    if (changed) return changed;
  }
}

/** Deletes a seller's own webhook. @returns whether there was one */
export async function removeWebhook(db: Db, sellerId: string, id: string): Promise<boolean> {
  return (await webhookEndpoints(db).deleteOne({ _id: id, profile: sellerId })).deletedCount === 1;
}

/** Deletes the webhooks of a seller that were made, or got another address or secret, after a moment. */
export async function removeWebhooksSince(db: Db, sellerId: string, since: Date): Promise<void> {
  await webhookEndpoints(db).deleteMany({ profile: sellerId, unchanged_since: { $gte: since } });
}

/** Deletes all webhooks of a seller. */
export async function removeWebhooksOf(db: Db, sellerId: string): Promise<void> {
  await webhookEndpoints(db).deleteMany({ profile: sellerId });
}

/** Lets an endpoint that failed be tried at once: its seller asks for it. */
export async function endRest(db: Db, id: string): Promise<void> {
  await webhookEndpoints(db).updateOne({ _id: id }, { $set: { rest_until: null } });
}

/** Takes the lease of an endpoint, unless it is off, rests, or another worker has it. */
export async function takeEndpoint(db: Db, id: string, leaseMs: number): Promise<WebhookEndpointRow | null> {
  const rested = { rest_until: { $not: { $gt: new Date() } } };
  return takeLease(webhookEndpoints(db), { _id: id, off: null, ...rested }, leaseMs);
}

/** Renews a lease. @returns the endpoint as it is now; null when it is off or gone, or another worker has it */
export function renewEndpoint(
  db: Db,
  { _id, lease_until }: WebhookEndpointRow,
  leaseMs: number,
): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(db)
    .findOneAndUpdate(
      { _id, lease_until, off: null },
      { $set: { lease_until: new Date(Date.now() + leaseMs) } },
      { returnDocument: 'after' },
    )
    .lean<WebhookEndpointRow>();
}

/** Gives a lease back. */
export async function releaseEndpoint(
  db: Db,
  { _id, lease_until }: Pick<WebhookEndpointRow, '_id' | 'lease_until'>,
): Promise<void> {
  await webhookEndpoints(db).updateOne({ _id, lease_until }, { $set: { lease_until: null } });
}

/** Records that a try succeeded. */
export async function recordWebhookSuccess(db: Db, { _id, failing }: WebhookEndpointRow): Promise<void> {
  if (failing) await webhookEndpoints(db).updateOne({ _id }, { $set: { failing: null, rest_until: null } });
}

/**
 * Records that a try failed, and lets the endpoint rest.
 * @returns false when its address has changed since, or another worker has it: then the failure says nothing about it
 */
export async function recordWebhookFailure(
  db: Db,
  { _id, url, lease_until }: WebhookEndpointRow,
  failing: NonNullable<WebhookEndpointRow['failing']>,
  restUntil: Date,
): Promise<boolean> {
  const changes = { $set: { failing, rest_until: restUntil } };
  const { matchedCount } = await webhookEndpoints(db).updateOne({ _id, url, lease_until }, changes);
  return matchedCount === 1;
}

/** Switches an endpoint off. */
export async function switchOff(
  db: Db,
  id: string,
  reason: NonNullable<WebhookEndpointRow['off']>['reason'],
): Promise<void> {
  await webhookEndpoints(db).updateOne({ _id: id, off: null }, { $set: { off: { reason, at: new Date() } } });
}

/** @returns which of these endpoints a worker may send to now: on, not resting, and with nobody */
export async function freeEndpoints(db: Db, ids: readonly string[]): Promise<string[]> {
  const now = new Date();
  const rows = await webhookEndpoints(db)
    .find({ _id: { $in: [...ids] } })
    .select({ _id: 1, lease_until: 1, rest_until: 1, off: 1 })
    .lean();
  const busy = rows.filter(
    ({ lease_until, rest_until, off }) => !off && ((lease_until ?? now) > now || (rest_until ?? now) > now),
  );
  const isBusy = new Set(busy.map(({ _id }) => _id));
  // What waits for one that is off or gone is ended by the worker that takes it.
  return ids.filter((id) => !isBusy.has(id));
}

/** Rows that are read at a time. */
const batchSize = 500;

/** Finds the secrets that are sealed with another key than that of a prefix. */
export async function* webhookSecretsWithoutPrefix(
  db: Db,
  prefix: string,
): AsyncGenerator<{ about: string; stored: string }> {
  // Two ranges of one index; U+FFFF is after every character of a stored secret.
  for (const outside of [{ $gt: '', $lt: prefix }, { $gte: `${prefix}\uffff` }]) {
    const rows = webhookEndpoints(db)
      .find({ secret: outside })
      .select({ secret: 1 })
      .lean()
      .cursor({ batchSize });
    for await (const { _id, secret } of rows) yield { about: _id, stored: secret };
  }
}

/** Stores a secret in another form, as a compare-and-set on the present one. @returns whether it was stored */
export async function replaceWebhookSecret(db: Db, id: string, from: string, to: string): Promise<boolean> {
  const { modifiedCount } = await webhookEndpoints(db).updateOne(
    { _id: id, secret: from },
    { $set: { secret: to } },
  );
  return modifiedCount === 1;
}
