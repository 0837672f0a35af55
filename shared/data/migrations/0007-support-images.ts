import type { Migration } from './migration.ts';

/** Images that operators give and take: profiles get their counters and pending ledger entries. */
export const supportImages: Migration = {
  name: '0007-support-images',
  async up(database) {
    await database
      .collection('profiles')
      .updateMany(
        { support: { $exists: false } },
        { $set: { support: { added: 0, removed: 0 }, support_added: [], support_removed: [] } },
      );
  },
};
