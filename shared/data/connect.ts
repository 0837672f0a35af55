import mongoose, { type Connection } from 'mongoose';
import { type AccountTokenRow, accountTokenSchema } from './account-tokens.ts';
import { type PasskeyChallengeRow, passkeyChallengeSchema } from './accounts/passkey-challenges.ts';
import { type ActivityRow, activitySchema } from './activities.ts';
import { type AlertRow, alertSchema } from './alerts.ts';
import { type AttemptRow, attemptSchema } from './attempts.ts';
import { type AuditResultRow, auditResultSchema } from './audit-results.ts';
import { type BannerRow, bannerRowSchema } from './banners.ts';
import {
  type BatchItemRow,
  type BatchPhotoRow,
  type BatchRow,
  batchItemSchema,
  batchPhotoSchema,
  batchSchema,
} from './batches/schema.ts';
import { type CreditEntryRow, creditEntrySchema } from './credit-entries.ts';
import type { Db } from './db.ts';
import { type DurationRow, durationSchema } from './durations.ts';
import { type FreeImageClaimRow, freeImageClaimSchema } from './free-image-claims.ts';
import { type GenerationRow, generationSchema } from './generations/schema.ts';
import { type KnownDeviceRow, knownDeviceSchema } from './known-devices.ts';
import { type LockRow, lockSchema } from './locks.ts';
import { type LookRow, lookSchema } from './looks.ts';
import { type MailRow, mailSchema } from './mails.ts';
import { type MinuteRow, minuteSchema } from './minutes.ts';
import { createDb, type Models } from './models.ts';
import { type NotificationRow, notificationSchema } from './notifications.ts';
import { type OperatorActionRow, operatorActionSchema } from './operator-actions.ts';
import { type ProfileRow, profileSchema } from './profiles/schema.ts';
import { type ProjectRow, projectSchema } from './projects.ts';
import { type ProviderFlowRow, providerFlowSchema } from './provider-flow.ts';
import { type ProviderPauseRow, providerPauseSchema } from './provider-pauses.ts';
import { type QueueLaneRow, queueLaneSchema } from './queue-lanes.ts';
import { type QueueOrderRow, queueOrderSchema } from './queue-orders.ts';
import { type ServerReportRow, serverReportSchema } from './server-reports.ts';
import { type SessionRow, sessionSchema } from './sessions.ts';
import { type StorageFolderRow, storageFolderSchema } from './storage-folders.ts';
import { type StripeEventRow, stripeEventSchema } from './stripe-events.ts';
import { type UnpaidCallsRow, unpaidCallsSchema } from './unpaid-calls.ts';
import { type UserSettingsRow, userSettingsSchema } from './user-settings.ts';
import { type UserRow, userSchema } from './users.ts';
import { type WebhookCallRow, webhookCallSchema } from './webhook-calls.ts';
import { type WorkerSlotsRow, workerSlotsSchema } from './worker-slots.ts';

/**
 * Connects to MongoDB and changes nothing there. Server and worker use `openDb`, which also migrates the database.
 * @throws when the server does not answer within five seconds
 */
export async function connectDb(mongodbUrl: string): Promise<Db> {
  const connection = await mongoose
    .createConnection(mongodbUrl, {
      serverSelectionTimeoutMS: 5_000,
      writeConcern: { w: 'majority' },
      // Migrations create collections' indexes (decision 64).
      autoIndex: false,
      autoCreate: false,
      maxPoolSize: 50,
    })
    .asPromise();
  return createDb(connection, createModels(connection));
}

/** The models of a connection, which need not be open. */
export function createModels(connection: Connection): Models {
  return {
    users: connection.model<UserRow>('User', userSchema, 'users'),
    profiles: connection.model<ProfileRow>('Profile', profileSchema, 'profiles'),
    userSettings: connection.model<UserSettingsRow>('UserSettings', userSettingsSchema, 'user_settings'),
    sessions: connection.model<SessionRow>('Session', sessionSchema, 'sessions'),
    generations: connection.model<GenerationRow>('Generation', generationSchema, 'generations'),
    projects: connection.model<ProjectRow>('Project', projectSchema, 'projects'),
    looks: connection.model<LookRow>('Look', lookSchema, 'looks'),
    batches: connection.model<BatchRow>('Batch', batchSchema, 'batches'),
    batchItems: connection.model<BatchItemRow>('BatchItem', batchItemSchema, 'batch_items'),
    batchPhotos: connection.model<BatchPhotoRow>('BatchPhoto', batchPhotoSchema, 'batch_photos'),
    creditEntries: connection.model<CreditEntryRow>('CreditEntry', creditEntrySchema, 'credit_entries'),
    accountTokens: connection.model<AccountTokenRow>('AccountToken', accountTokenSchema, 'account_tokens'),
    knownDevices: connection.model<KnownDeviceRow>('KnownDevice', knownDeviceSchema, 'known_devices'),
    passkeyChallenges: connection.model<PasskeyChallengeRow>(
      'PasskeyChallenge',
      passkeyChallengeSchema,
      'passkey_challenges',
    ),
    activities: connection.model<ActivityRow>('Activity', activitySchema, 'activities'),
    mails: connection.model<MailRow>('Mail', mailSchema, 'mails'),
    notifications: connection.model<NotificationRow>('Notification', notificationSchema, 'notifications'),
    stripeEvents: connection.model<StripeEventRow>('StripeEvent', stripeEventSchema, 'stripe_events'),
    storageFolders: connection.model<StorageFolderRow>(
      'StorageFolder',
      storageFolderSchema,
      'storage_folders',
    ),
    providerPauses: connection.model<ProviderPauseRow>(
      'ProviderPause',
      providerPauseSchema,
      'provider_pauses',
    ),
    providerFlows: connection.model<ProviderFlowRow>('ProviderFlow', providerFlowSchema, 'provider_flows'),
    queueLanes: connection.model<QueueLaneRow>('QueueLane', queueLaneSchema, 'queue_lanes'),
    queueOrders: connection.model<QueueOrderRow>('QueueOrder', queueOrderSchema, 'queue_orders'),
    locks: connection.model<LockRow>('Lock', lockSchema, 'locks'),
    durations: connection.model<DurationRow>('Duration', durationSchema, 'durations'),
    auditResults: connection.model<AuditResultRow>('AuditResult', auditResultSchema, 'audit_results'),
    workerSlots: connection.model<WorkerSlotsRow>('WorkerSlots', workerSlotsSchema, 'worker_slots'),
    attempts: connection.model<AttemptRow>('Attempt', attemptSchema, 'attempts'),
    unpaidCalls: connection.model<UnpaidCallsRow>('UnpaidCalls', unpaidCallsSchema, 'unpaid_calls'),
    banners: connection.model<BannerRow>('Banner', bannerRowSchema, 'banners'),
    operatorActions: connection.model<OperatorActionRow>(
      'OperatorAction',
      operatorActionSchema,
      'operator_actions',
    ),
    minutes: connection.model<MinuteRow>('Minute', minuteSchema, 'minutes'),
    serverReports: connection.model<ServerReportRow>('ServerReport', serverReportSchema, 'server_reports'),
    alerts: connection.model<AlertRow>('Alert', alertSchema, 'alerts'),
    webhookCalls: connection.model<WebhookCallRow>('WebhookCall', webhookCallSchema, 'webhook_calls'),
    freeImageClaims: connection.model<FreeImageClaimRow>(
      'FreeImageClaim',
      freeImageClaimSchema,
      'free_image_claims',
    ),
  };
}
