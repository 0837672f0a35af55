import { firstRelease } from './0001-first-release.ts';
import { fieldNames } from './0002-field-names.ts';
import { receiving } from './0003-receiving.ts';
import { welcomeImages } from './0004-welcome-images.ts';
import { remakes } from './0005-remakes.ts';
import { searchFields } from './0006-search-fields.ts';
import { supportImages } from './0007-support-images.ts';
import { failedMails } from './0008-failed-mails.ts';
import { indexes } from './0009-indexes.ts';
import { watchIndexes } from './0010-watch-indexes.ts';
import { logIndexes } from './0011-log-indexes.ts';
import { retention } from './0012-retention.ts';
import { operatorSearch } from './0013-operator-search.ts';
import { fairOrder } from './0014-fair-order.ts';
import { failedWebhookCalls } from './0015-failed-webhook-calls.ts';
import { unpaidCalls } from './0016-unpaid-calls.ts';
import { sealedSecrets } from './0017-sealed-secrets.ts';
import { operatorFactors } from './0018-operator-factors.ts';
import { passkeys } from './0019-passkeys.ts';
import type { Migration } from './migration.ts';

/** All migrations, in the order in which they are executed. */
export const migrations: readonly Migration[] = [
  firstRelease,
  fieldNames,
  receiving,
  welcomeImages,
  remakes,
  searchFields,
  supportImages,
  failedMails,
  indexes,
  watchIndexes,
  logIndexes,
  retention,
  operatorSearch,
  fairOrder,
  failedWebhookCalls,
  unpaidCalls,
  sealedSecrets,
  operatorFactors,
  passkeys,
];
