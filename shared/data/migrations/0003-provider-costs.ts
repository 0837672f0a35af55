import type { Migration } from './migration.ts';

/** What calls to the image provider cost (docs/decisions/0099-what-images-cost.md). */
export const providerCosts: Migration = {
  name: '0003-provider-costs',
  indexes: { provider_costs: ['at_1', 'seller_1'] },
};
