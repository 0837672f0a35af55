import type { Migration } from './migration.ts';

/** Indexes of the figures and alerts that operators see. */
export const watchIndexes: Migration = {
  name: '0010-watch-indexes',
  async up() {},
  indexes: {
    minutes: ['at_1'],
    server_reports: ['until_1'],
    webhook_calls: ['ended_at_1_due_at_1', 'forget'],
  },
};
