import type { Migration } from './migration.ts';

/** The index of the calls of the alert webhook that failed, which operators see. */
export const failedWebhookCalls: Migration = {
  name: '0015-failed-webhook-calls',
  async up() {},
  indexes: { webhook_calls: ['created_at_-1__id_-1'] },
};
