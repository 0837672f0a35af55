import { recordActivity } from '#shared/data/accounts/activities.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { bySupport } from './by-support.ts';

/** Tells a person by mail and in the activity log that an operator exported everything about them. */
export async function tellOfExport(
  { db, relay }: { db: Db; relay: Pick<EventRelay, 'publishMail'> },
  { _id: sellerId, email }: Pick<UserRow, '_id' | 'email'>,
): Promise<void> {
  const fullName = (await findProfile(db, sellerId))?.full_name ?? '';
  await enqueueMail(db, relay, 'dataExported', email, { fullName, at: new Date(), from: null });
  await recordActivity(db, sellerId, 'data-exported', bySupport);
}
