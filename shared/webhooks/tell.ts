import { type V1Batch, type WebhookEvent, webhookEvents } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { modeOf } from '#shared/data/test-seller.ts';
import { insertDelivery } from '#shared/data/webhooks/deliveries.ts';
import { webhooksToldOf } from '#shared/data/webhooks/endpoints.ts';
import { eventIdOf, hadWebhooks, hasEvents, recordEvent } from '#shared/data/webhooks/events.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentBalance, presentV1 } from '#shared/views/v1.ts';

/*
 * What programs of sellers are told: by webhooks (docs/decisions/0136-webhooks.md) and by the stream of events
 * (docs/decisions/0140-events-as-a-stream.md). An event is recorded where the state is written, before that step is recorded as
 * done: after a crash the step is repeated, and the event has the same id.
 */

/** What telling needs of the contexts of server and worker. */
interface TellContext {
  db: Db;
  relay: Pick<EventRelay, 'publish' | 'publishWebhook'>;
}

/** Something that happened once. */
interface Happening {
  type: WebhookEvent;
  /** What happened, unlike for everything else: the id of the event is made from it. */
  key: string;
  /** The id of what it is about. */
  object: string;
  at: Date;
}

/** The body of an event. @param sellerId whose it is: a seller, or a test seller */
export const bodyOf = (sellerId: string, type: string, at: Date, data: object) =>
  JSON.stringify({ type, timestamp: at.toISOString(), mode: modeOf(sellerId), data });

/**
 * Records an event of a seller, and for each webhook that is told of it. Idempotent.
 * @param profile the seller's, read when it had happened or later: who has no programs then has no events; null for an account
 *   that is gone
 */
async function tell(
  { db, relay }: TellContext,
  profile: Pick<ProfileRow, '_id' | 'events_since' | 'webhooks_since'> | null,
  { type, key, object, at }: Happening,
  data: object,
): Promise<void> {
  if (!profile || !hasEvents(profile)) return;
  const sellerId = profile._id;
  const [{ _id: event, body }, endpoints] = await Promise.all([
    recordEvent(db, {
      _id: eventIdOf(key),
      profile: sellerId,
      type,
      object,
      body: bodyOf(sellerId, type, at, data),
    }),
    hadWebhooks(profile) ? webhooksToldOf(db, sellerId, type) : [],
  ]);
  relay.publish(sellerId, { told: true });
  // What it is about was deleted for ever meanwhile.
  if (body === null) return;
  for (const endpoint of endpoints) {
    const row = await insertDelivery(db, { profile: sellerId, endpoint, event, type, object, body });
    if (row) relay.publishWebhook(endpoint, row._id);
  }
}

/** Tells that a generation has ended. @param profile as of {@link tell} */
export async function tellOfGeneration(
  context: TellContext,
  row: GenerationRow,
  profile: ProfileRow | null,
): Promise<void> {
  const type = `generation.${row.state}`;
  if (!isEvent(type)) throw new Error(`generation ${row._id} has not ended`);
  const happening = { type, key: `ended:${row._id}`, object: row._id, at: row.ended_at ?? new Date() };
  await tell(context, profile, happening, presentV1(presentGeneration(row, null)));
}

const isEvent = (type: string): type is WebhookEvent => Object.hasOwn(webhookEvents, type);

/** Tells that nothing is left to do of a batch. @param profile as of {@link tell} @param batch as it is then */
export async function tellOfBatch(
  context: TellContext,
  profile: ProfileRow | null,
  batch: V1Batch,
): Promise<void> {
  const { id, round, endedAt } = batch;
  const at = endedAt === null ? new Date() : new Date(endedAt);
  const happening = { type: 'batch.finished', key: `batch:${id}:${round}`, object: id, at } as const;
  await tell(context, profile, happening, batch);
}

/** Tells that few images are left. @param key of the notification that says so */
export async function tellOfBalance(
  context: TellContext & { config: Pick<Config, 'billing' | 'dailyImages'> },
  profile: ProfileRow,
  key: string,
): Promise<void> {
  const { _id: object } = profile;
  const happening = { type: 'balance.low', key: `${object}:${key}`, object, at: new Date() } as const;
  await tell(context, profile, happening, presentBalance(profile, context.config));
}
