import { dropIndexes, type Migration } from './migration.ts';

/** Settings say how long rows are kept, so upkeep removes them instead of MongoDB. */
export const retention: Migration = {
  name: '0012-retention',
  async up(database) {
    for (const collection of ['activities', 'notifications', 'stripe_events']) {
      await dropIndexes(database, collection, (index) => index.expireAfterSeconds !== undefined);
    }
  },
  indexes: { activities: ['by_age'], notifications: ['by_age'], profiles: ['images_end_at_1'] },
};
