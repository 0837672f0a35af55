import type { Database, Migration } from './migration.ts';

/**
 * Free images: profiles get their counters, and each hold names its balance instead of `metered`. Accounts from before get
 * no free images, also if their address is confirmed later.
 */
export const welcomeImages: Migration = {
  name: '0004-welcome-images',
  async up(database) {
    await database
      .collection('profiles')
      .updateMany(
        { welcome: { $exists: false } },
        { $set: { welcome: { due: false, granted: 0, left: 0 } } },
      );
    await nameBalances(database);
  },
};

/** `$rename` does not reach into arrays, so each balance is written before `metered` is removed. */
async function nameBalances(database: Database): Promise<void> {
  const profiles = database.collection('profiles');
  for (const [metered, balance] of [
    [true, 'metered'],
    [false, 'unlimited'],
  ] as const) {
    await profiles.updateMany(
      { 'holds.metered': metered },
      { $set: { 'holds.$[hold].balance': balance } },
      { arrayFilters: [{ 'hold.metered': metered }] },
    );
  }
  await profiles.updateMany({ 'holds.metered': { $exists: true } }, { $unset: { 'holds.$[].metered': 1 } });
}
