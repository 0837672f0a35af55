import type { Migration } from './migration.ts';

/** The collection of API keys. Its unique indexes need no `up`: no process of an older version writes there. */
export const apiKeys: Migration = {
  name: '0007-api-keys',
  indexes: { api_keys: ['hash_1', 'user_id_1_slot_1'] },
};
