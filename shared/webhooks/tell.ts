import { type V1BatchEnd, type V1Generation, type WebhookEvent, webhookEvents } from '#contract';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { eventIdOf, insertDelivery } from '#shared/data/webhooks/deliveries.ts';
import { webhooksToldOf } from '#shared/data/webhooks/endpoints.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { presentGeneration } from '#shared/views/generation.ts';
import { presentBalance, presentV1 } from '#shared/views/v1.ts';

/*
 * What webhooks are told (docs/decisions/0136-webhooks.md). An event is recorded where the state is written, before that step is
 * recorded as done: after a crash the step is repeated, and the event has the same id.
 */

/** What telling needs of the contexts of server and worker. */
interface TellContext {
  db: Db;
  relay: Pick<EventRelay, 'publishWebhook'>;
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

/** The body of an event. */
export const bodyOf = (type: string, at: Date, data: object) =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

/** Records an event for each webhook of a seller that is told of it. Idempotent. @param dataOf called only if there is one */
async function tell(
  { db, relay }: TellContext,
  sellerId: string,
  { type, key, object, at }: Happening,
  dataOf: () => object,
): Promise<void> {
  const endpoints = await webhooksToldOf(db, sellerId, type);
  if (endpoints.length === 0) return;
  const parts = { profile: sellerId, event: eventIdOf(key), type, object, body: bodyOf(type, at, dataOf()) };
  for (const endpoint of endpoints) {
    const row = await insertDelivery(db, { ...parts, endpoint });
    if (row) relay.publishWebhook(endpoint, row._id);
  }
}

/** Tells that a generation has ended. */
export async function tellOfGeneration(context: TellContext, row: GenerationRow): Promise<void> {
  const type = `generation.${row.state}`;
  if (!isEvent(type)) throw new Error(`generation ${row._id} has not ended`);
  const happening = { type, key: `ended:${row._id}`, object: row._id, at: row.ended_at ?? new Date() };
  await tell(context, row.profile, happening, (): V1Generation => presentV1(presentGeneration(row, null)));
}

const isEvent = (type: string): type is WebhookEvent => Object.hasOwn(webhookEvents, type);

/** Tells that nothing is left to do of a batch. */
export async function tellOfBatch(
  context: TellContext,
  { _id: id, profile, name, round }: BatchRow,
  images: V1BatchEnd['images'],
): Promise<void> {
  const happening = {
    type: 'batch.finished',
    key: `batch:${id}:${round}`,
    object: id,
    at: new Date(),
  } as const;
  await tell(context, profile, happening, (): V1BatchEnd => ({ id, name, round, images }));
}

/** Tells that few images are left. @param key of the notification that says so */
export async function tellOfBalance(
  context: TellContext & { config: Pick<Config, 'billing' | 'dailyImages'> },
  profile: ProfileRow,
  key: string,
): Promise<void> {
  const { _id: object } = profile;
  const happening = { type: 'balance.low', key: `${object}:${key}`, object, at: new Date() } as const;
  await tell(context, object, happening, () => presentBalance(profile, context.config));
}
