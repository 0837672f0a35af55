import type { Migration } from './migration.ts';

/** The collection of what moderation refused. */
export const refusals: Migration = {
  name: '0004-refusals',
  indexes: { refusals: ['profile_1_at_-1', 'at_1_profile_1', 'expires_at_1'] },
};
