import type { Migration } from './migration.ts';

/** The collections of tombstones of batches. The unique index needs no `up`: no process of an older version writes there. */
export const deletedBatches: Migration = {
  name: '0014-deleted-batches',
  indexes: {
    deleted_batches: ['profile_1_key_1', 'remove_at_1'],
    test_deleted_batches: ['profile_1_key_1', 'remove_at_1'],
  },
};
