import type { GenerationView } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import {
  insertNotification,
  type NewNotification,
  type NotificationRow,
} from '#shared/data/notifications.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { EventRelay, SellerEvent } from '#shared/platform/relay.ts';
import { presentRemoved } from '#shared/views/generation.ts';
import { presentSubscription } from '#shared/views/subscription.ts';
import { generationView } from './generation.ts';
import { presentNotification } from './notification.ts';

/**
 * Sends a change to the seller's sockets, as one event.
 * @param changed the generation after the change, if it changed (deleted ones are announced as removed), and its view, if it
 *   was read already; the profile, if its balance changed; a notification, if it is new
 */
export async function announce(
  { db, relay }: { db: Db; relay: EventRelay },
  sellerId: string,
  {
    generation,
    view,
    profile,
    notification,
  }: {
    generation?: GenerationRow;
    view?: GenerationView;
    profile?: ProfileRow | null;
    notification?: NotificationRow | null;
  },
): Promise<void> {
  if (!generation && !profile && !notification) return;
  const event: SellerEvent = {
    ...(generation?.deletion && { generationRemoved: presentRemoved(generation) }),
    ...(generation && !generation.deletion && { generation: view ?? (await generationView(db, generation)) }),
    ...(profile && { subscription: presentSubscription(profile) }),
    ...(notification && { notification: presentNotification(notification) }),
  };
  relay.publish(sellerId, event);
}

/** Writes a notification once and announces it. Idempotent by its key. */
export async function notify(context: { db: Db; relay: EventRelay }, parts: NewNotification): Promise<void> {
  const notification = await insertNotification(context.db, parts);
  await announce(context, parts.profile, { notification });
}
