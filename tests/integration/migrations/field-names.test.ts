import { expect } from 'vitest';
import { firstRelease as firstMigration } from '#shared/data/migrations/0001-first-release.ts';
import { migrate } from '#shared/data/migrations/migrate.ts';
import { connectionOf, modelsOf } from '#shared/data/models.ts';
import { firstRelease } from '#tests/support/first-release.ts';
import { executed, names, noLog, type OldDatabase, test } from './harness.ts';

const past = new Date('2026-11-01T00:00:00Z');
const leaseUntil = new Date('2026-11-01T00:03:00Z');

const collectionOf = ({ db }: OldDatabase, name: string) =>
  connectionOf(db).db!.collection<{ _id: string }>(name);

/** A database of the version before the migration, whose process died before it posted an entry and sent a mail. */
async function interruptedWork(old: OldDatabase): Promise<string> {
  await migrate(old.db, noLog, { migrations: [firstMigration] });
  const profiles = collectionOf(old, 'profiles');
  await profiles.createIndex(
    { 'grants.entered': 1 },
    { partialFilterExpression: { 'grants.entered': false } },
  );
  await profiles.createIndex({ 'notices.at': 1 });
  const profile = (await profiles.findOneAndUpdate(
    { email: firstRelease.freelancer } as object,
    {
      $push: {
        grants: { key: 'invoice:in_late', count: 5, period: null, at: past, entered: false },
        notices: {
          id: 'ended-sub_old',
          kind: 'subscriptionEnded',
          plan: 'freelance',
          grace_until: null,
          at: past,
        },
      },
      $inc: { generations_left: 5, granted: 5 },
      $set: { billing_busy_until: leaseUntil },
    } as object,
  ))!;
  await collectionOf(old, 'stripe_events').insertMany(
    [null, leaseUntil].map((busyUntil, index) => ({
      _id: `evt_${index}`,
      type: 'invoice.paid',
      customer: null,
      charge: null,
      received_at: past,
      busy_until: busyUntil,
      tries: 1,
      due_at: null,
      handled_at: null,
    })),
  );
  return profile._id;
}

test('renamed fields keep their values, and upkeep finishes what the older version left undone', async ({
  stack,
  newDatabase,
  startWorker,
}) => {
  const old = await newDatabase();
  const sellerId = await interruptedWork(old);
  const { db } = old;
  expect(await executed(db)).toEqual([firstMigration.name]);
  await migrate(db, noLog);
  expect(await executed(db)).toEqual(names);

  expect(await collectionOf(old, 'profiles').findOne({ _id: sellerId })).toMatchObject({
    grants: [{ posted: true }, { key: 'invoice:in_late', posted: false }],
    pending_emails: [{ id: 'ended-sub_old' }],
    billing_lease_until: leaseUntil,
  });
  const events = await collectionOf(old, 'stripe_events').find().sort({ _id: 1 }).toArray();
  expect(events).toMatchObject([{ lease_until: null }, { lease_until: leaseUntil }]);
  const stored = await Promise.all(
    ['profiles', 'stripe_events'].map(async (name) => ({
      documents: await collectionOf(old, name).find().toArray(),
      indexes: await collectionOf(old, name).indexes(),
    })),
  );
  expect(JSON.stringify(stored)).not.toMatch(/entered|notices|busy_until/);

  await startWorker(old);
  const { to, subject } = { to: firstRelease.freelancer, subject: 'ended' };
  await stack.mails.waitForMail({ to, subject });
  await expect
    .poll(() => modelsOf(db).creditEntries.countDocuments({ key: 'invoice:in_late', count: 5 }))
    .toBe(1);
  await expect.poll(() => modelsOf(db).stripeEvents.countDocuments({ handled_at: null })).toBe(0);
  await expect.poll(() => old.audit()).toEqual([]);
  expect(await modelsOf(db).profiles.findById(sellerId).lean()).toMatchObject({ pending_emails: [] });
});
