import type { Migration } from './migration.ts';

/** The collection of events. The unique index needs no `up`: no process of an older version writes there. */
export const sellerEvents: Migration = {
  name: '0012-seller-events',
  indexes: { seller_events: ['profile_1_place_1', 'profile_1_object_1', 'remove_at_1'] },
};
