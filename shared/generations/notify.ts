import type { Db } from '#shared/data/db.ts';
import { insertNotification, type NewNotification } from '#shared/data/notifications.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { announce } from './announce.ts';

/** Writes a notification once and announces it. Idempotent by its key. */
export async function notify(context: { db: Db; relay: EventRelay }, parts: NewNotification): Promise<void> {
  const notification = await insertNotification(context.db, parts);
  await announce(context, parts.profile, { notification });
}
