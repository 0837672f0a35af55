import type { ActivityKind, ActivityView } from '#contract';

/** The texts of the activity log. */
const labels: Readonly<Record<ActivityKind, string>> = {
  'signed-up': 'Signed up',
  'signed-in': 'Signed in',
  'sign-in-failed': 'Wrong password or code',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'locked-out': 'Locked after too many wrong passwords or codes',
  unlocked: 'Unlocked',
  'name-changed': 'Name changed',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset with a link from an email',
  'email-change-asked': 'Change of email requested',
  'email-changed': 'Email changed',
  'email-change-undone': 'Change of email undone',
  'two-factor-on': 'Two-factor sign-in turned on',
  'two-factor-off': 'Two-factor sign-in turned off',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-made': 'New recovery codes created',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'settings-changed': 'Settings changed',
  'data-exported': 'Data exported',
  'plan-changed': 'Plan changed',
};

const isKnown = (kind: string): kind is ActivityKind => Object.hasOwn(labels, kind);

/** The text of a line of the activity log. */
export function activityLabel({ kind, newKind = kind }: Pick<ActivityView, 'kind' | 'newKind'>): string {
  return labels[isKnown(newKind) ? newKind : kind];
}
