import { accountTokens } from './accounts/account-tokens.ts';
import { activities } from './accounts/activities.ts';
import { apiKeys } from './accounts/api-keys.ts';
import { freeImageClaims } from './accounts/free-image-claims.ts';
import { passkeyChallenges } from './accounts/passkey-challenges.ts';
import { sessions } from './accounts/sessions.ts';
import { knownDevices } from './accounts/sign-in.ts';
import { userSettings } from './accounts/user-settings.ts';
import { users } from './accounts/users.ts';
import { batches, batchItems, batchPhotos, deletedBatches } from './batches/schema.ts';
import { creditEntries } from './billing/credit-entries.ts';
import { stripeEvents } from './billing/stripe-events.ts';
import { unpaidCalls } from './billing/unpaid-calls.ts';
import { providerCosts } from './costs/provider-costs.ts';
import type { Db } from './db.ts';
import { fileRemovals } from './file-removals.ts';
import { refusals } from './generations/refusals.ts';
import { generations } from './generations/schema.ts';
import { locks } from './locks.ts';
import { looks } from './looks.ts';
import { mails } from './mails.ts';
import { notifications } from './notifications.ts';
import { alerts } from './operator/alerts.ts';
import { attempts } from './operator/attempt-records.ts';
import { auditResults } from './operator/audit-results.ts';
import { backupResults } from './operator/backup-results.ts';
import { banners } from './operator/banners.ts';
import { minutes } from './operator/minutes.ts';
import { operatorActions } from './operator/operator-actions.ts';
import { webhookCalls } from './operator/webhook-calls.ts';
import { ownPresets } from './own-presets.ts';
import { profiles } from './profiles/schema.ts';
import { projects } from './projects.ts';
import { durations } from './queue/durations.ts';
import { providerFlows } from './queue/provider-flow.ts';
import { providerPauses } from './queue/provider-pauses.ts';
import { queueLanes } from './queue/queue-lanes.ts';
import { queueOrders } from './queue/queue-orders.ts';
import { seenWorkers } from './queue/seen-workers.ts';
import { serverReports } from './queue/server-reports.ts';
import { workerSlots } from './queue/worker-slots.ts';
import { storageFolders } from './storage-folders.ts';
import { webhookDeliveries } from './webhooks/deliveries.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';
import { sellerEvents } from './webhooks/events.ts';

/** Every collection. A new one is declared in its file and named here. */
const collections = {
  users,
  profiles,
  userSettings,
  sessions,
  generations,
  projects,
  looks,
  ownPresets,
  batches,
  batchItems,
  batchPhotos,
  deletedBatches,
  fileRemovals,
  creditEntries,
  accountTokens,
  apiKeys,
  knownDevices,
  passkeyChallenges,
  activities,
  mails,
  notifications,
  stripeEvents,
  storageFolders,
  providerPauses,
  providerFlows,
  queueLanes,
  queueOrders,
  locks,
  durations,
  auditResults,
  backupResults,
  workerSlots,
  attempts,
  unpaidCalls,
  providerCosts,
  refusals,
  banners,
  operatorActions,
  minutes,
  seenWorkers,
  serverReports,
  alerts,
  webhookCalls,
  webhookEndpoints,
  webhookDeliveries,
  sellerEvents,
  freeImageClaims,
};

/** One mongoose model for each collection. */
export type Models = { [Name in keyof typeof collections]: ReturnType<(typeof collections)[Name]> };

/** The models of a database handle. Statements on one collection use the collection itself. */
export function modelsOf(db: Db): Models {
  return Object.fromEntries(Object.entries(collections).map(([name, of]) => [name, of(db)])) as Models;
}
