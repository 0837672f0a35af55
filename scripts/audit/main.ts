/**
 * `npm run audit`: recomputes every balance, prints inconsistencies, and exits with 1 if there are any. Their number is
 * stored for the metrics. Reads the database of MONGODB_URL if it is set, else the data of `npm start`, which need not be
 * running. With `--contents` it reads every image, and compares it with the hash that its row has.
 */
import { join } from 'node:path';
import { readCommandLine } from '#scripts/command-line.ts';
import { openCommandStorage } from '#scripts/start/command-storage.ts';
import { runOnDatabase } from '#scripts/start/database.ts';
import { runningStack } from '#scripts/start/lock.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { openBilling } from '#shared/billing/client.ts';
import type { Db } from '#shared/data/db.ts';
import { countGenerations } from '#shared/data/generations/find.ts';
import { assertMigrated } from '#shared/data/migrations/migrate.ts';
import { saveAuditResult } from '#shared/data/operator/audit-results.ts';
import { countProfiles } from '#shared/data/profiles/find.ts';
import { graceMsOf } from '#shared/platform/config.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { givenSettings } from '#shared/platform/settings.ts';
import { audit } from './audit.ts';
import { auditBilling } from './audit-billing.ts';
import type { Finding } from './finding.ts';

const dataFolder = join(rootFolder, '.data');
const given = givenSettings();
const { values } = readCommandLine('audit', {
  about: 'Recomputes every balance, and prints what does not add up. Ends with 1 if there is something.',
  options: { contents: { about: 'reads every image, and compares it with the hash in its row' } },
});
await runOnDatabase('audit', auditDatabase);

async function auditDatabase(db: Db): Promise<void> {
  await assertMigrated(db);
  // With the database, so that a storage that is not mounted is not a storage without images.
  const { storage } = await openCommandStorage(db);
  const findings = await audit(db, storage, values.contents ? 'contents' : 'length');
  const withStripe = await auditStripe(db);
  findings.push(...(withStripe ?? []));
  await saveAuditResult(db, findings.length);
  for (const { id, problem } of findings) console.log(`${id}: ${problem}`);
  const [profiles, generations] = await Promise.all([countProfiles(db), countGenerations(db)]);
  const stripe = withStripe === undefined ? ', not compared with Stripe, which does not run' : '';
  console.log(
    `audit: ${profiles} profiles, ${generations} generations, ${findings.length} findings${stripe}`,
  );
  if (findings.length > 0) process.exitCode = 1;
}

/** @returns undefined if no Stripe is configured and no local one runs */
async function auditStripe(db: Db): Promise<Finding[] | undefined> {
  const { stripeUrl } = runningStack(dataFolder) ?? {};
  const billing = {
    secretKey: given.STRIPE_SECRET_KEY ?? localStripeKey,
    apiUrl: given.STRIPE_API_URL ?? (given.STRIPE_SECRET_KEY === undefined ? stripeUrl : undefined),
  };
  if (given.STRIPE_SECRET_KEY === undefined && stripeUrl === undefined) return undefined;
  return auditBilling(db, openBilling(billing), graceMsOf(given.PAST_DUE_GRACE_DAYS));
}
