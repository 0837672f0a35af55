import type { Migration } from './migration.ts';

/** The collections of webhooks. The unique index needs no `up`: no process of an older version writes there. */
export const webhooks: Migration = {
  name: '0009-webhooks',
  indexes: {
    webhook_endpoints: ['profile_1_slot_1', 'secret_1'],
    webhook_deliveries: [
      'endpoint_1_state_1_due_at_1',
      'state_1_due_at_1',
      'endpoint_1_created_at_-1__id_-1',
      'profile_1_object_1_created_at_1',
      'remove_at_1',
    ],
  },
};
