import { dropIndexes, type Migration } from './migration.ts';

/** Ledgers and activity logs are read in the order of an index, and mails to an address are found by one. */
export const logIndexes: Migration = {
  name: '0011-log-indexes',
  async up(database) {
    await dropIndexes(database, 'credit_entries', ({ name }) => name === 'profile_1_at_-1');
    await dropIndexes(database, 'activities', ({ name }) => name === 'user_id_1_at_-1');
  },
  indexes: {
    credit_entries: ['profile_1_at_-1__id_-1'],
    activities: ['user_id_1_at_-1__id_-1'],
    mails: ['to_1_created_at_1'],
  },
};
