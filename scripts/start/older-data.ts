/** Brings what an earlier version left in a developer's database up to this one. */
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';

/** Brings a database up to this version; to be done before server and worker start. Does nothing to data of this version. */
export async function renewOlderData(mongodbUrl: string): Promise<void> {
  const db = await connectDb(mongodbUrl);
  try {
    await renew(db);
  } finally {
    await db.close();
  }
}

async function renew(db: Db): Promise<void> {
  const { profiles, users, sessions, creditEntries } = db;
  await addRefunds(db);
  const older = { forfeits: { $exists: false } };
  if (!(await profiles.exists(older))) return;
  await profiles.collection.updateMany(older, {
    $set: {
      // Its plan was not paid for: that came with this version.
      subscription_status: 'inactive',
      email_verified: true,
      forfeits: [],
      fair_use: { period_start: null, used: 0 },
      stripe_customer_id: null,
      subscription_id: null,
      subscription_data: null,
      grace_until: null,
      billing_busy_until: null,
      billing_seen_at: null,
      deletion_asked_at: null,
      'grants.$[].period': null,
      'holds.$[].lapsed': false,
    },
  });
  await creditEntries.collection.updateMany({ period: { $exists: false } }, { $set: { period: null } });
  await users.collection.updateMany(
    { password_changed_at: { $exists: false } },
    {
      $set: { password_changed_at: new Date(), sign_up: null, two_factor: null, two_factor_setup: null },
    },
  );
  await sessions.deleteMany({ idle_minutes: { $exists: false } });
}

/** What profiles had not before refunds were followed. */
async function addRefunds({ profiles }: Db): Promise<void> {
  await profiles.collection.updateMany(
    { billing_asked: { $exists: false } },
    {
      $set: {
        refunds: [],
        reinstates: [],
        refunded: 0,
        period_refunded: false,
        former_customers: [],
        notices: [],
        billing_asked: 0,
        billing_applied: 0,
        billing_retry: null,
      },
      $unset: { billing_revision: 1 },
    },
  );
}
