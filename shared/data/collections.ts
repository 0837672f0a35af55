import { accountTokens } from './account-tokens.ts';
import { passkeyChallenges } from './accounts/passkey-challenges.ts';
import { activities } from './activities.ts';
import { alerts } from './alerts.ts';
import { attempts } from './attempts.ts';
import { auditResults } from './audit-results.ts';
import { banners } from './banners.ts';
import { batches, batchItems, batchPhotos } from './batches/schema.ts';
import { creditEntries } from './credit-entries.ts';
import type { Db } from './db.ts';
import { durations } from './durations.ts';
import { freeImageClaims } from './free-image-claims.ts';
import { generations } from './generations/schema.ts';
import { knownDevices } from './known-devices.ts';
import { locks } from './locks.ts';
import { looks } from './looks.ts';
import { mails } from './mails.ts';
import { minutes } from './minutes.ts';
import { notifications } from './notifications.ts';
import { operatorActions } from './operator-actions.ts';
import { profiles } from './profiles/schema.ts';
import { projects } from './projects.ts';
import { providerFlows } from './provider-flow.ts';
import { providerPauses } from './provider-pauses.ts';
import { queueLanes } from './queue-lanes.ts';
import { queueOrders } from './queue-orders.ts';
import { serverReports } from './server-reports.ts';
import { sessions } from './sessions.ts';
import { storageFolders } from './storage-folders.ts';
import { stripeEvents } from './stripe-events.ts';
import { unpaidCalls } from './unpaid-calls.ts';
import { userSettings } from './user-settings.ts';
import { users } from './users.ts';
import { webhookCalls } from './webhook-calls.ts';
import { workerSlots } from './worker-slots.ts';

/** Every collection. A new one is declared in its file and named here. */
const collections = {
  users,
  profiles,
  userSettings,
  sessions,
  generations,
  projects,
  looks,
  batches,
  batchItems,
  batchPhotos,
  creditEntries,
  accountTokens,
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
  workerSlots,
  attempts,
  unpaidCalls,
  banners,
  operatorActions,
  minutes,
  serverReports,
  alerts,
  webhookCalls,
  freeImageClaims,
};

/** One mongoose model for each collection. */
export type Models = { [Name in keyof typeof collections]: ReturnType<(typeof collections)[Name]> };

/** The models of a database handle. Statements on one collection use the collection itself. */
export function modelsOf(db: Db): Models {
  return Object.fromEntries(Object.entries(collections).map(([name, of]) => [name, of(db)])) as Models;
}
