import type { Migration } from './migration.ts';

/** Indexes of what operators search generations by, and of the record of attempts. */
export const operatorSearch: Migration = {
  name: '0013-operator-search',
  async up() {},
  indexes: {
    generations: ['state_1_created_at_-1__id_-1', 'failure.code_1_created_at_-1__id_-1'],
    attempts: ['generation_1_fence_1', 'request_id_1', 'claimed_at_1'],
  },
};
