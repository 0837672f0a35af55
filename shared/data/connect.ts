import mongoose, { type Connection } from 'mongoose';
import { type AccountTokenModel, type AccountTokenRow, accountTokenSchema } from './account-token.ts';
import { type ActivityModel, type ActivityRow, activitySchema } from './activity.ts';
import { type CreditEntryModel, type CreditEntryRow, creditEntrySchema } from './credit-entry.ts';
import { type GenerationModel, type GenerationRow, generationSchema } from './generation.ts';
import { type KnownDeviceModel, type KnownDeviceRow, knownDeviceSchema } from './known-device.ts';
import { type MailModel, type MailRow, mailSchema } from './mail.ts';
import { type ProfileModel, type ProfileRow, profileSchema } from './profile.ts';
import { type ProviderPauseModel, type ProviderPauseRow, providerPauseSchema } from './provider-pause.ts';
import { type SessionModel, type SessionRow, sessionSchema } from './session.ts';
import { type StorageFolderModel, type StorageFolderRow, storageFolderSchema } from './storage-folder.ts';
import { type StripeEventModel, type StripeEventRow, stripeEventSchema } from './stripe-event.ts';
import { type UserModel, type UserRow, userSchema } from './user.ts';
import { type UserSettingsModel, type UserSettingsRow, userSettingsSchema } from './user-settings.ts';

/** The models on one connection. Only the files of this folder change what they hold. */
export interface Db {
  connection: Connection;
  users: UserModel;
  profiles: ProfileModel;
  userSettings: UserSettingsModel;
  sessions: SessionModel;
  generations: GenerationModel;
  creditEntries: CreditEntryModel;
  accountTokens: AccountTokenModel;
  knownDevices: KnownDeviceModel;
  activities: ActivityModel;
  mails: MailModel;
  stripeEvents: StripeEventModel;
  storageFolders: StorageFolderModel;
  providerPauses: ProviderPauseModel;
  close(): Promise<void>;
}

/**
 * Connects to MongoDB and sees to its indexes.
 * @throws when the server does not answer within five seconds
 */
export async function connectDb(mongodbUrl: string): Promise<Db> {
  const connection = await mongoose
    .createConnection(mongodbUrl, {
      serverSelectionTimeoutMS: 5_000,
      writeConcern: { w: 'majority' },
      // Indexes are made once below and awaited, so a unique index holds before the first write.
      autoIndex: false,
      autoCreate: false,
      maxPoolSize: 50,
    })
    .asPromise();
  const db: Db = {
    connection,
    users: connection.model<UserRow, UserModel>('User', userSchema, 'users'),
    profiles: connection.model<ProfileRow, ProfileModel>('Profile', profileSchema, 'profiles'),
    userSettings: connection.model<UserSettingsRow, UserSettingsModel>(
      'UserSettings',
      userSettingsSchema,
      'user_settings',
    ),
    sessions: connection.model<SessionRow, SessionModel>('Session', sessionSchema, 'sessions'),
    generations: connection.model<GenerationRow, GenerationModel>(
      'Generation',
      generationSchema,
      'generations',
    ),
    creditEntries: connection.model<CreditEntryRow, CreditEntryModel>(
      'CreditEntry',
      creditEntrySchema,
      'credit_entries',
    ),
    accountTokens: connection.model<AccountTokenRow, AccountTokenModel>(
      'AccountToken',
      accountTokenSchema,
      'account_tokens',
    ),
    knownDevices: connection.model<KnownDeviceRow, KnownDeviceModel>(
      'KnownDevice',
      knownDeviceSchema,
      'known_devices',
    ),
    activities: connection.model<ActivityRow, ActivityModel>('Activity', activitySchema, 'activities'),
    mails: connection.model<MailRow, MailModel>('Mail', mailSchema, 'mails'),
    stripeEvents: connection.model<StripeEventRow, StripeEventModel>(
      'StripeEvent',
      stripeEventSchema,
      'stripe_events',
    ),
    storageFolders: connection.model<StorageFolderRow, StorageFolderModel>(
      'StorageFolder',
      storageFolderSchema,
      'storage_folders',
    ),
    providerPauses: connection.model<ProviderPauseRow, ProviderPauseModel>(
      'ProviderPause',
      providerPauseSchema,
      'provider_pauses',
    ),
    close: () => connection.close(),
  };
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
  return db;
}

/** Whether an error is MongoDB's answer to a second document under a unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}

/** A new id: 24 hexadecimal digits that sort by the time they were made. */
export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}
