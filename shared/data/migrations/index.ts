import { baseline } from './0001-baseline.ts';
import { requestsOfOperators } from './0002-requests-of-operators.ts';
import { providerCosts } from './0003-provider-costs.ts';
import { refusals } from './0004-refusals.ts';
import { trash } from './0005-trash.ts';
import { imagePacks } from './0006-image-packs.ts';
import { apiKeys } from './0007-api-keys.ts';
import { exportPresets } from './0008-export-presets.ts';
import { webhooks } from './0009-webhooks.ts';
import { sandbox } from './0011-sandbox.ts';
import { sellerEvents } from './0012-seller-events.ts';
import { whatProfilesSay } from './0013-what-profiles-say.ts';
import { deletedBatches } from './0014-deleted-batches.ts';
import type { Migration } from './migration.ts';

/** All migrations, in the order in which they are executed. */
export const migrations: readonly Migration[] = [
  baseline,
  requestsOfOperators,
  providerCosts,
  refusals,
  trash,
  imagePacks,
  apiKeys,
  exportPresets,
  webhooks,
  sandbox,
  sellerEvents,
  whatProfilesSay,
  deletedBatches,
];
