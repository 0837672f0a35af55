import {
  type ActivityKind,
  type ActivityView,
  imageCapabilitiesOf,
  type Me,
  type SessionView,
  type Settings,
  settingsSchema,
  type Unreachable,
  type UserView,
} from '#contract';
import type { ActivityRow } from '#shared/data/accounts/activities.ts';
import { isPasswordDue, type PasswordAge } from '#shared/data/accounts/password-age.ts';
import type { SessionRow } from '#shared/data/accounts/sessions.ts';
import { themeOf, type UserSettingsRow } from '#shared/data/accounts/user-settings.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import { presentSubscription } from '#shared/views/subscription.ts';

/**
 * Seller, plan, settings and who makes the images.
 * @param user null if there is no such account any more
 */
export function presentMe(
  profile: ProfileRow,
  user: PasswordAge | null,
  settings: UserSettingsRow,
  unreadNotifications: number,
  { image, dailyImages }: Pick<Config, 'image' | 'dailyImages'>,
): Me {
  return {
    user: presentUser(profile),
    subscription: presentSubscription(profile, dailyImages),
    settings: presentSettings(settings),
    unreadNotifications,
    passwordDue: user !== null && isPasswordDue(user, settings, new Date()),
    imageProvider: image.provider,
    imageCapabilities: imageCapabilitiesOf(image),
  };
}

/** The signed-in seller. */
export function presentUser(profile: ProfileRow): UserView {
  return {
    id: profile._id,
    email: profile.email,
    fullName: profile.full_name,
    displayName: profile.full_name || profile.email.split('@')[0] || 'User',
    memberSince: profile.created_at.toISOString(),
    twoFactorEnabled: profile.two_factor_enabled,
    operator: profile.operator_since !== undefined,
    emailUnreachable: presentUnreachable(profile),
  };
}

/** A seller's settings. */
export function presentSettings(row: UserSettingsRow): Settings {
  const { preferences } = row;
  return settingsSchema.parse({
    theme: themeOf(row),
    language: preferences.language,
    imageQuality: row.image_quality,
    notificationsEnabled: row.notifications_enabled,
    emailNotifications: preferences.notifications.email,
    pushNotifications: preferences.notifications.push,
    securityNotifications: row.security_notifications,
    activityLogging: row.activity_logging,
    sessionTimeoutMinutes: row.session_timeout,
    passwordExpiryDays: row.password_expiry_days,
    passwordChangeForced: row.password_change_forced,
    autoSave: row.auto_save,
  });
}

/** An open session. @param currentId the one that asks */
export function presentSession(row: SessionRow, currentId: string): SessionView {
  return {
    id: row._id,
    device: row.device,
    address: row.address,
    startedAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    staysSignedIn: row.stays_signed_in ?? false,
    idleMinutes: row.idle_minutes,
    current: row._id === currentId,
  };
}

/** A line of the seller's activity log. */
export function presentActivity({ _id: id, kind, device, address, at }: ActivityRow): ActivityView {
  const line = { id, device, address, at: at.toISOString() };
  const older = olderKinds[kind];
  return older === undefined ? { ...line, kind } : { ...line, kind: older, newKind: kind };
}

/** What pages of the release before are told instead of kinds that they do not know, and refuse. */
const olderKinds: Partial<Record<ActivityKind, ActivityKind>> = {
  'passkey-added': 'settings-changed',
  'passkey-removed': 'settings-changed',
  'api-key-made': 'settings-changed',
  'api-key-revoked': 'settings-changed',
  'webhook-made': 'settings-changed',
};

/** That mail to a seller's present address comes back; null while it does not. */
export function presentUnreachable({ email, unreachable }: ProfileRow): Unreachable | null {
  // An account that has changed its address since is reachable.
  if (unreachable?.address !== email) return null;
  const { kind, reason, at } = unreachable;
  return { kind, reason, since: at.toISOString() };
}
