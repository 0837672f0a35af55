import type { Migration } from './migration.ts';

/** Images made again at no charge: profiles get their counters. */
export const remakes: Migration = {
  name: '0005-remakes',
  async up(database) {
    await database
      .collection('profiles')
      .updateMany({ remakes: { $exists: false } }, { $set: { remakes: { month: null, used: 0, made: 0 } } });
  },
};
