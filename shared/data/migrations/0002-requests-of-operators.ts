import type { Migration } from './migration.ts';

/** Upkeep finds what operators decided about billing, and deletions that they planned. */
export const requestsOfOperators: Migration = {
  name: '0002-requests-of-operators',
  indexes: { profiles: ['deletion_planned.due_at_1', 'billing_order.due_at_1'] },
};
