import { Schema } from 'mongoose';
import { imageQualities, type Theme, themes } from '#contract';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { keep } from '../kept.ts';
import { date, nullableText, type Row, rowOptions, text } from '../row.ts';
import { randomSecret } from './account-tokens.ts';

const settingsOfSeller = {
  _id: text,
  user_id: text,
  /** Whether the seller's pages are dark, on every device; counts unless the theme is `system`. */
  dark_mode: { type: Boolean, default: false },
  notifications_enabled: { type: Boolean, default: true },
  auto_save: { type: Boolean, default: true },
  image_quality: { type: String, enum: imageQualities, default: 'high' as const },
  security_notifications: { type: Boolean, default: true },
  activity_logging: { type: Boolean, default: true },
  /** Minutes of inactivity after which a session ends, unless its browser stays signed in. */
  session_timeout: { type: Number, default: 30 },
  /** Days after which the seller is reminded of changing the password; 0 is never. */
  password_expiry_days: { type: Number, default: 90 },
  /** Whether the seller wants to be made to change it then. */
  password_change_forced: { type: Boolean, default: false },
  preferences: {
    language: { type: String, default: 'en' },
    theme: { type: String, enum: themes, default: 'system' as const },
    notifications: {
      email: { type: Boolean, default: false },
      push: { type: Boolean, default: false },
    },
  },
  /** Signs the links in mails that turn mails off. Null before the first one. */
  unsubscribe_secret: nullableText,
  created_at: date,
  updated_at: date,
};

/** A seller's settings. `_id` is the seller's id. */
export interface UserSettingsRow extends Row<typeof settingsOfSeller> {}

const userSettingsSchema = new Schema<UserSettingsRow>(settingsOfSeller, rowOptions);

export const userSettings = collection<UserSettingsRow>('user_settings', userSettingsSchema, 'apart');

/** @returns a seller's settings, or null when there is no such account */
export async function findSettings(db: Db, sellerId: string): Promise<UserSettingsRow | null> {
  return userSettings(db).findById(sellerId).lean();
}

/** The same, as it was a second ago at most: for how an image is made. Whether its seller gets a mail is read anew. */
export const knownSettings = keep(findSettings, (settings) => settings !== null);

/** Whether a seller wants mails about images. */
export const wantsImageMails = (settings: UserSettingsRow | null) =>
  settings?.notifications_enabled === true && settings.preferences.notifications.email;

/**
 * The same, if no mails about images are wanted: that is kept for a second. That they are wanted is always read: who unsubscribes
 * gets none from then on.
 */
export const knownWithoutMails = keep(
  findSettings,
  (settings) => settings !== null && !wantsImageMails(settings),
);

/** @returns what signs the links in a seller's mails that turn mails off; another one each time if there is no such account */
export async function unsubscribeSecretOf(db: Db, sellerId: string): Promise<string> {
  const made = randomSecret();
  await userSettings(db).updateOne(
    { _id: sellerId, unsubscribe_secret: null },
    { $set: { unsubscribe_secret: made } },
  );
  return (await findSettings(db, sellerId))?.unsubscribe_secret ?? made;
}

/** The stored fields of a theme, which are always written together: they are one value. */
export const themeFields = (theme: Theme) => ({ 'preferences.theme': theme, dark_mode: theme === 'dark' });

/** The theme of a seller's pages: what the seller chose, or `system`, by which each device decides. */
export function themeOf({ dark_mode: isDark, preferences }: UserSettingsRow): Theme {
  if (preferences.theme === 'system') return 'system';
  return isDark ? 'dark' : 'light';
}
