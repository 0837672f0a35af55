import type { Migration } from './migration.ts';

/** The index by which old counts of unpaid calls are removed. */
export const unpaidCalls: Migration = {
  name: '0016-unpaid-calls',
  async up() {},
  indexes: { unpaid_calls: ['expires_at_1'] },
};
