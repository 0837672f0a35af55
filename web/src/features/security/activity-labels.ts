import type { ActivityKind } from '#contract';

/** What the activity log says about each kind. */
export const activityLabel: Readonly<Record<ActivityKind, string>> = {
  'signed-up': 'You signed up',
  'signed-in': 'Signed in',
  'sign-in-failed': 'A sign-in failed',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'locked-out': 'Locked after too many failed sign-ins',
  unlocked: 'Unlocked',
  'name-changed': 'Name changed',
  'password-changed': 'Password changed',
  'password-reset': 'New password set by a link in a mail',
  'email-change-asked': 'Asked for another email',
  'email-changed': 'Email changed',
  'email-change-undone': 'Change of email undone',
  'two-factor-on': 'Two-factor sign-in turned on',
  'two-factor-off': 'Two-factor sign-in turned off',
  'recovery-code-used': 'A recovery code was used',
  'recovery-codes-made': 'New recovery codes made',
  'settings-changed': 'Settings changed',
  'data-exported': 'Data exported',
  'plan-changed': 'Plan changed',
};
