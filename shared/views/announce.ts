import type { GenerationView } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import {
  insertNotification,
  type NewNotification,
  type NotificationRow,
} from '#shared/data/notifications.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay, SellerEvent } from '#shared/platform/relay.ts';
import { presentRemoved } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { generationView } from './generation.ts';
import { presentNotification } from './notification.ts';

/** What announcing needs of the contexts of server and worker. */
export interface AnnounceContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'dailyImages'>;
}

/**
 * What has changed: a generation (deleted ones are announced as removed, and the batch that they are in as changed), and its view,
 * if it was read already; a batch itself; a notification.
 */
interface Change {
  generation?: GenerationRow;
  view?: GenerationView;
  batch?: true;
  notification?: NotificationRow | null;
}

/** Sends a change to the seller's sockets, as one event. */
export async function announce(
  context: Pick<AnnounceContext, 'db' | 'relay'>,
  sellerId: string,
  change: Change,
): Promise<void>;
/** @param change with the profile, if its balance changed */
export async function announce(
  context: AnnounceContext,
  sellerId: string,
  change: Change & { profile?: ProfileRow | null },
): Promise<void>;
export async function announce(
  { db, relay, config }: Omit<AnnounceContext, 'config'> & Partial<AnnounceContext>,
  sellerId: string,
  { generation, view, batch, profile, notification }: Change & { profile?: ProfileRow | null },
): Promise<void> {
  if (!generation && !batch && !profile && !notification) return;
  const event: SellerEvent = {
    ...(generation?.deletion && { generationRemoved: presentRemoved(generation) }),
    ...(generation && !generation.deletion && { generation: view ?? (await generationView(db, generation)) }),
    ...((batch || (generation?.deletion && generation.batch)) && { batchChanged: true }),
    ...(profile && config && { subscription: presentSubscription(profile, config.dailyImages) }),
    ...(notification && { notification: presentNotification(notification) }),
  };
  relay.publish(sellerId, event);
}

/** Writes a notification once and announces it. Idempotent by its key. */
export async function notify(context: { db: Db; relay: EventRelay }, parts: NewNotification): Promise<void> {
  const notification = await insertNotification(context.db, parts);
  await announce(context, parts.profile, { notification });
}
