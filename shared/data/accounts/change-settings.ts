import { limits, type SettingsChange } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { clearActivities } from './activities.ts';
import { sessionLifeMs, sessions } from './sessions.ts';
import {
  knownSettings,
  knownWithoutMails,
  themeFields,
  type UserSettingsRow,
  userSettings,
} from './user-settings.ts';

/** The stored field of each setting of the contract but the theme. */
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
  passwordChangeForced: 'password_change_forced',
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
  const settings = await userSettings(db)
    .findByIdAndUpdate(sellerId, { $set: set }, { returnDocument: 'after' })
    .lean();
  knownSettings.forget(db, sellerId);
  knownWithoutMails.forget(db, sellerId);
  if (!settings) return null;
  if (change.sessionTimeoutMinutes !== undefined) await setIdleTime(db, settings);
  if (change.activityLogging === false) await clearActivities(db, sellerId);
  return settings;
}

/** Gives open sessions the new idle time, counted from when each was last used. Those of browsers that stay signed in keep theirs. */
async function setIdleTime(db: Db, { _id: sellerId, session_timeout: minutes }: UserSettingsRow) {
  const idleMs = Math.min(limits.sessionSeconds, minutes * 60) * 1_000;
  await sessions(db).updateMany(
    { user_id: sellerId, expires_at: { $gt: new Date() }, stays_signed_in: { $exists: false } },
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
