import type { Connection, Model } from 'mongoose';
import type { AccountTokenRow } from './account-tokens.ts';
import type { PasskeyChallengeRow } from './accounts/passkey-challenges.ts';
import type { ActivityRow } from './activities.ts';
import type { AlertRow } from './alerts.ts';
import type { AttemptRow } from './attempts.ts';
import type { AuditResultRow } from './audit-results.ts';
import type { BannerRow } from './banners.ts';
import type { BatchItemRow, BatchPhotoRow, BatchRow } from './batches/schema.ts';
import type { CreditEntryRow } from './credit-entries.ts';
import type { Db } from './db.ts';
import type { DurationRow } from './durations.ts';
import type { FreeImageClaimRow } from './free-image-claims.ts';
import type { GenerationRow } from './generations/schema.ts';
import type { KnownDeviceRow } from './known-devices.ts';
import type { LockRow } from './locks.ts';
import type { LookRow } from './looks.ts';
import type { MailRow } from './mails.ts';
import type { MinuteRow } from './minutes.ts';
import type { NotificationRow } from './notifications.ts';
import type { OperatorActionRow } from './operator-actions.ts';
import type { ProfileRow } from './profiles/schema.ts';
import type { ProjectRow } from './projects.ts';
import type { ProviderFlowRow } from './provider-flow.ts';
import type { ProviderPauseRow } from './provider-pauses.ts';
import type { QueueLaneRow } from './queue-lanes.ts';
import type { QueueOrderRow } from './queue-orders.ts';
import type { ServerReportRow } from './server-reports.ts';
import type { SessionRow } from './sessions.ts';
import type { StorageFolderRow } from './storage-folders.ts';
import type { StripeEventRow } from './stripe-events.ts';
import type { UnpaidCallsRow } from './unpaid-calls.ts';
import type { UserSettingsRow } from './user-settings.ts';
import type { UserRow } from './users.ts';
import type { WebhookCallRow } from './webhook-calls.ts';
import type { WorkerSlotsRow } from './worker-slots.ts';

/** One mongoose model for each collection. Only the files of this folder and the tests use them. */
export interface Models {
  users: Model<UserRow>;
  profiles: Model<ProfileRow>;
  userSettings: Model<UserSettingsRow>;
  sessions: Model<SessionRow>;
  generations: Model<GenerationRow>;
  projects: Model<ProjectRow>;
  looks: Model<LookRow>;
  batches: Model<BatchRow>;
  batchItems: Model<BatchItemRow>;
  batchPhotos: Model<BatchPhotoRow>;
  creditEntries: Model<CreditEntryRow>;
  accountTokens: Model<AccountTokenRow>;
  knownDevices: Model<KnownDeviceRow>;
  passkeyChallenges: Model<PasskeyChallengeRow>;
  activities: Model<ActivityRow>;
  mails: Model<MailRow>;
  notifications: Model<NotificationRow>;
  stripeEvents: Model<StripeEventRow>;
  storageFolders: Model<StorageFolderRow>;
  providerPauses: Model<ProviderPauseRow>;
  providerFlows: Model<ProviderFlowRow>;
  queueLanes: Model<QueueLaneRow>;
  queueOrders: Model<QueueOrderRow>;
  locks: Model<LockRow>;
  durations: Model<DurationRow>;
  auditResults: Model<AuditResultRow>;
  workerSlots: Model<WorkerSlotsRow>;
  freeImageClaims: Model<FreeImageClaimRow>;
  operatorActions: Model<OperatorActionRow>;
  banners: Model<BannerRow>;
  minutes: Model<MinuteRow>;
  serverReports: Model<ServerReportRow>;
  alerts: Model<AlertRow>;
  webhookCalls: Model<WebhookCallRow>;
  attempts: Model<AttemptRow>;
  unpaidCalls: Model<UnpaidCallsRow>;
}

/** What is behind a {@link Db}. */
interface OpenDb {
  connection: Connection;
  models: Models;
  beforeClose: Set<() => Promise<void>>;
  close(): Promise<void>;
}

/** Makes a handle of an open connection; closing it closes the connection. */
export function createDb(connection: Connection, models: Models): Db {
  const beforeClose = new Set<() => Promise<void>>();
  const db: OpenDb = {
    connection,
    models,
    beforeClose,
    async close() {
      await Promise.all([...beforeClose].map((step) => step()));
      await connection.close();
    },
  };
  return db as unknown as Db;
}

/** Runs a step before the handle is closed. @returns a function that takes this back */
export function runBeforeClose(db: Db, step: () => Promise<void>): () => void {
  const { beforeClose } = db as unknown as OpenDb;
  beforeClose.add(step);
  return () => beforeClose.delete(step);
}

/** The models of a database handle. */
export function modelsOf(db: Db): Models {
  return (db as unknown as OpenDb).models;
}

/** The connection of a database handle. */
export function connectionOf(db: Db): Connection {
  return (db as unknown as OpenDb).connection;
}
