import type { UserSettingsRow } from './user-settings.ts';
import type { UserRow } from './users.ts';

/* When a password is old, by what its seller chose (docs/decisions/0120-passwords-are-kept-and-browsers-stay-signed-in.md). */

/** What the age of a password is counted from. */
export type PasswordAge = Pick<UserRow, 'password_changed_at' | 'password_kept_at'>;
type PasswordSettings = Pick<UserSettingsRow, 'password_expiry_days' | 'password_change_forced'>;

const isOlder = (since: Date, days: number, now: Date) =>
  days > 0 && now.getTime() - since.getTime() > days * 86_400_000;

/** Whether the seller is to be reminded of changing the password. Keeping it counts as a change. */
export function isPasswordDue(
  { password_changed_at: changed, password_kept_at: kept }: PasswordAge,
  { password_expiry_days: days }: PasswordSettings,
  now: Date,
): boolean {
  return isOlder(kept && kept > changed ? kept : changed, days, now);
}

/** Whether the password must be changed to sign in: the seller chose that, and keeping it does not count. */
export function isPasswordExpired(
  { password_changed_at: changed }: PasswordAge,
  { password_expiry_days: days, password_change_forced: forced }: PasswordSettings,
  now: Date,
): boolean {
  return forced && isOlder(changed, days, now);
}
