/** Mails about changes of what protects an account, which are sent whatever the settings say. */

import { countLabel, dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** What was changed: its heading, and what that means. */
const changes = {
  'security-emails-off': [
    'Security emails were turned off',
    'You will no longer get an email about sign-ins on new devices. Changes to what protects your account are still told by email.',
  ],
  'activity-log-off': [
    'The activity log was turned off',
    'What was in the log has been removed, and nothing new is recorded.',
  ],
  'idle-sessions-longer': [
    'Idle sessions stay signed in longer',
    'The time without activity after which your sessions end was made longer.',
  ],
  'password-expiry-later': [
    'Your password expires later',
    'The time after which you choose a new password was made longer, or turned off.',
  ],
  unlocked: [
    'Your account was unlocked',
    'Someone used the link in our email, so wrong passwords no longer block signing in.',
  ],
  'signed-out-everywhere': ['You were signed out everywhere', 'All sessions of your account have ended.'],
  'app-removed': [
    'Your authenticator app was removed',
    'Two-factor sign-in stays on with your passkeys. Your recovery codes still work.',
  ],
  'session-ended': ['One of your sessions was ended', 'That device or browser is signed out.'],
} as const;
export const securityChanges = Object.keys(changes) as (keyof typeof changes)[];

/** After a change that needs no words of its own. @param data device, address: of whoever made the change */
export function securityChanged(data: {
  fullName: string;
  change: keyof typeof changes;
  at: Date;
  device: string;
  address: string;
  securityLink: string;
}): MailContent {
  const [heading, text] = changes[data.change];
  return composeMail({
    subject: heading,
    heading,
    fullName: data.fullName,
    blocks: [
      paragraph(text),
      facts(
        ['When', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      button('Open my security settings', data.securityLink),
      smallPrint("If this wasn't you, choose a new password now with “Forgot password” on the sign-in page."),
    ],
  });
}

/** Who removed two-factor sign-in, and why. */
const removals = {
  reset: (days: number) =>
    `Your password was reset with the link in our email. What was added for two-factor sign-in in the last ${countLabel(days, 'day')} was removed: someone who knew your old password could have added it.`,
  undo: () =>
    'Your email address was changed back. What was added for two-factor sign-in since then, or shortly before, was removed: whoever changed the address could have added it.',
  support: () =>
    'Our support turned off two-factor sign-in, as you asked. All sessions of your account have ended.',
} as const;

/** After somebody else than a signed-in seller has removed second factors. */
export function twoFactorRemoved(data: {
  fullName: string;
  by: keyof typeof removals;
  at: Date;
  /** For how long two-factor sign-in counts as young. */
  days: number;
  /** Whether two-factor sign-in is still on, with older factors. */
  on: boolean;
}): MailContent {
  const heading = data.on ? 'New two-factor sign-in was removed' : 'Two-factor sign-in was turned off';
  return composeMail({
    subject: heading,
    heading,
    fullName: data.fullName,
    blocks: [
      paragraph(removals[data.by](data.days)),
      facts([data.on ? 'Removed' : 'Turned off', dateLabel(data.at)]),
      paragraph(
        data.on
          ? 'Two-factor sign-in is still on, with what you added before. You can add more under Account Settings, Security.'
          : 'Signing in to your Packshot account now takes only your password. Your recovery codes no longer work. You can turn two-factor sign-in on again under Account Settings, Security.',
      ),
      smallPrint("If you didn't expect this, answer this email."),
    ],
  });
}

/** After an operator asked to remove two-factor sign-in for a seller. @param data dueAt: when it will be removed */
export function twoFactorRemovalAsked(data: {
  fullName: string;
  dueAt: Date;
  keepLink: string;
}): MailContent {
  return composeMail({
    subject: 'Two-factor sign-in will be turned off',
    heading: 'Two-factor sign-in will be turned off',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Someone told our support that they own your Packshot account and cannot enter a code any more. We will turn off two-factor sign-in at the time below, unless you stop it.',
      ),
      facts(['Will be turned off', dateLabel(data.dueAt)]),
      paragraph("If this wasn't you, keep two-factor sign-in. Signing in with a code keeps it as well."),
      button('Keep two-factor sign-in', data.keepLink),
      smallPrint('If this was you, no action is needed.'),
    ],
  });
}
