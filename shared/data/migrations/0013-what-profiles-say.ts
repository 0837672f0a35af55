import type { Migration } from './migration.ts';

/**
 * Profiles say since when what programs are told is recorded, and when an image last failed or was cancelled. An older process would
 * make a key or end an image without saying so.
 */
export const whatProfilesSay: Migration = {
  name: '0013-what-profiles-say',
  async up(database) {
    const now = new Date();
    const [ofKeys, ofRevokedKeys, ofWebhooks] = await Promise.all([
      database.collection('api_keys').distinct('user_id'),
      database.collection('activities').distinct('user_id', { kind: 'api-key-made' }),
      database.collection('webhook_endpoints').distinct('profile'),
    ]);
    const profiles = database.collection<{ _id: string }>('profiles');
    const since = (sellers: string[], field: string) =>
      profiles.updateMany({ _id: { $in: sellers } }, { $min: { [field]: now } });
    await since([...ofKeys, ...ofRevokedKeys, ...ofWebhooks], 'events_since');
    await since(ofWebhooks, 'webhooks_since');
    // Whether there were any is not known: they are counted until a day without any has passed.
    for (const stored of ['profiles', 'test_profiles']) {
      await database
        .collection(stored)
        .updateMany({ unmade_at: { $exists: false } }, { $set: { unmade_at: now } });
    }
  },
};
