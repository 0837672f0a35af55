import { dropIndexesOver, type Migration } from './migration.ts';

/** What is added to documents that lack a field which every document of a later version has. */
interface Addition {
  collection: string;
  /** A field that is absent in documents that need the addition. It is part of the addition. */
  without: string;
  set: Record<string, unknown>;
}

const additions = (now: Date): readonly Addition[] => [
  {
    // Before billing every plan was active from sign-up, and nothing was paid.
    collection: 'profiles',
    without: 'forfeits',
    set: {
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
  },
  {
    // Before payments that were refunded took their images back.
    collection: 'profiles',
    without: 'billing_asked',
    set: {
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
  },
  { collection: 'credit_entries', without: 'period', set: { period: null } },
  {
    // The password expiry starts now, because sellers did not know of it before.
    collection: 'users',
    without: 'password_changed_at',
    set: { password_changed_at: now, sign_up: null, two_factor: null, two_factor_setup: null },
  },
  { collection: 'users', without: 'undone', set: { undone: null } },
  { collection: 'mails', without: 'priority', set: { kind: null, priority: 1 } },
];

/** Brings the documents of all versions before the first migration to one form, those of the first release included. */
export const firstRelease: Migration = {
  name: '0001-first-release',
  async up(database) {
    for (const { collection, without, set } of additions(new Date())) {
      await database.collection(collection).updateMany({ [without]: { $exists: false } }, { $set: set });
    }
    // Replaced by `billing_asked` and `billing_applied`.
    await database
      .collection('profiles')
      .updateMany({ billing_revision: { $exists: true } }, { $unset: { billing_revision: 1 } });
    // Sessions of a version whose tokens are not accepted any more.
    await database.collection('sessions').deleteMany({ idle_minutes: { $exists: false } });
    await dropIndexesOver(database, 'profiles', 'created_at');
  },
};
