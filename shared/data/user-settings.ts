import { Schema } from 'mongoose';
import { imageQualities, limits, type SettingsChange, type Theme, themes } from '#contract';
import { clearActivities } from './activities.ts';
import type { Db } from './db.ts';
import { modelsOf } from './models.ts';
import { date, type Row, rowOptions, text } from './row.ts';
import { sessionLifeMs } from './sessions.ts';

const userSettings = {
  _id: text,
  user_id: text,
  /** Whether the seller's pages are dark, on every device; counts unless the theme is `system`. */
  dark_mode: { type: Boolean, default: false },
  notifications_enabled: { type: Boolean, default: true },
  auto_save: { type: Boolean, default: true },
  image_quality: { type: String, enum: imageQualities, default: 'high' as const },
  security_notifications: { type: Boolean, default: true },
  activity_logging: { type: Boolean, default: true },
  /** Minutes of inactivity after which a session ends. */
  session_timeout: { type: Number, default: 30 },
  password_expiry_days: { type: Number, default: 90 },
  preferences: {
    language: { type: String, default: 'en' },
    theme: { type: String, enum: themes, default: 'system' as const },
    notifications: {
      email: { type: Boolean, default: false },
      push: { type: Boolean, default: false },
    },
  },
  created_at: date,
  updated_at: date,
};

/** A seller's settings. `_id` is the seller's id. */
export interface UserSettingsRow extends Row<typeof userSettings> {}

export const userSettingsSchema = new Schema<UserSettingsRow>(userSettings, rowOptions);

/** @returns a seller's settings, or null when there is no such account */
export async function findSettings(db: Db, sellerId: string): Promise<UserSettingsRow | null> {
  return modelsOf(db).userSettings.findById(sellerId).lean();
}

/** The stored fields of a theme, which are always written together: they are one value. */
export const themeFields = (theme: Theme) => ({ 'preferences.theme': theme, dark_mode: theme === 'dark' });

/** The theme of a seller's pages: what the seller chose, or `system`, by which each device decides. */
export function themeOf({ dark_mode: isDark, preferences }: UserSettingsRow): Theme {
  if (preferences.theme === 'system') return 'system';
  return isDark ? 'dark' : 'light';
}

/** The stored field of each other setting of the contract. */
const fields = {
  language: 'preferences.language',
  imageQuality: 'image_quality',
  notificationsEnabled: 'notifications_enabled',
  emailNotifications: 'preferences.notifications.email',
  pushNotifications: 'preferences.notifications.push',
  securityNotifications: 'security_notifications',
  activityLogging: 'activity_logging',
  sessionTimeoutMinutes: 'session_timeout',
  passwordExpiryDays: 'password_expiry_days',
  autoSave: 'auto_save',
} as const satisfies Record<Exclude<keyof SettingsChange, 'theme'>, string>;

/**
 * Changes some of a seller's settings and applies them: open sessions get the new idle time, and the activity log is
 * emptied if it is turned off.
 * @returns the settings after the write, or null when there is no such account
 */
export async function changeSettings(
  db: Db,
  sellerId: string,
  change: SettingsChange,
): Promise<UserSettingsRow | null> {
  const set: Record<string, unknown> = {
    updated_at: new Date(),
    ...(change.theme !== undefined && themeFields(change.theme)),
  };
  for (const [name, field] of Object.entries(fields)) {
    const value = change[name as keyof typeof fields];
    if (value !== undefined) set[field] = value;
  }
  const settings = await modelsOf(db)
    .userSettings.findByIdAndUpdate(sellerId, { $set: set }, { returnDocument: 'after' })
    .lean();
  if (!settings) return null;
  if (change.sessionTimeoutMinutes !== undefined) await setIdleTime(db, settings);
  if (change.activityLogging === false) await clearActivities(db, sellerId);
  return settings;
}

/** Gives open sessions the new idle time, counted from when each was last used. */
async function setIdleTime(db: Db, { _id: sellerId, session_timeout: minutes }: UserSettingsRow) {
  const idleMs = Math.min(limits.sessionSeconds, minutes * 60) * 1_000;
  await modelsOf(db).sessions.updateMany(
    { user_id: sellerId, expires_at: { $gt: new Date() } },
    [
      {
        $set: {
          idle_minutes: minutes,
          expires_at: {
            $min: [{ $add: ['$last_seen_at', idleMs] }, { $add: ['$created_at', sessionLifeMs] }],
          },
        },
      },
    ],
    { updatePipeline: true },
  );
}
