/** Mails about passwords and lock-outs. */

import { countLabel, dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/**
 * When a password reset is requested.
 * @param data minutes: how long the link works; youngFactorDays: given if a second factor is younger than that, so that
 *   a new password removes it
 */
export function resetPassword(data: {
  fullName: string;
  link: string;
  minutes: number;
  youngFactorDays?: number | undefined;
}): MailContent {
  const days = data.youngFactorDays;
  return composeMail({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    fullName: data.fullName,
    blocks: [
      paragraph('We received a request to reset the password of your Packshot account.'),
      ...(days === undefined
        ? []
        : [
            paragraph(
              `Something was added for two-factor sign-in in the last ${countLabel(days, 'day')}. A new password removes it: someone who knew your old one could have added it.`,
            ),
          ]),
      button('Choose a new password', data.link),
      smallPrint(
        `The link works once, within ${countLabel(data.minutes, 'minute')}. If you didn't request this, no action is needed: your password stays the same.`,
      ),
    ],
  });
}

/** After a password was changed or reset. */
export function passwordChanged(data: { fullName: string; at: Date; resetLink: string }): MailContent {
  return composeMail({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    fullName: data.fullName,
    blocks: [
      paragraph('Your Packshot password was changed. If this was you, no action is needed.'),
      facts(['Changed', dateLabel(data.at)]),
      smallPrint("If this wasn't you, recover your account now:", 'Reset your password', data.resetLink),
    ],
  });
}

/**
 * After too many wrong passwords or codes.
 * @param data unlockLink: null for codes, which only the right code or waiting unlocks; locked: who is locked out, that is, the network, a known device, or every unknown device; minutes: how
 *   long the lock lasts
 */
export function accountLocked(data: {
  fullName: string;
  locked: 'network' | 'device' | 'everybody';
  network: string;
  unlockLink: string | null;
  resetLink: string;
  minutes: number;
}): MailContent {
  const time = countLabel(data.minutes, 'minute');
  const secret = data.unlockLink === null ? 'code' : 'password';
  const heading = `Too many wrong ${secret}s`;
  const what = {
    network: `Someone entered a wrong ${secret} for your Packshot account many times in a row. Sign-in from that network is blocked for ${time}. You can still sign in from anywhere else and on devices you have used before.`,
    device: `Someone entered a wrong ${secret} for your Packshot account many times in a row, on a device you have used before. Sign-in on that device is blocked for ${time}. You can still sign in anywhere else.`,
    everybody: `Someone is trying many ${secret}s for your Packshot account. Sign-in on new devices is blocked for ${time}. You can still sign in on devices you have used before.`,
  };
  return composeMail({
    subject: heading,
    heading,
    fullName: data.fullName,
    blocks: [
      paragraph(what[data.locked]),
      facts(['Network', oneLine(data.network)]),
      ...(data.unlockLink === null
        ? [
            paragraph('Whoever entered the codes knows your password.'),
            button('Choose a new password', data.resetLink),
            smallPrint(
              'If this was you, please wait, and check that the clock of the device with your authenticator app is right.',
            ),
          ]
        : unlocking(data.unlockLink, data.resetLink)),
    ],
  });
}

/** How the owner unlocks an account after wrong passwords. */
function unlocking(unlockLink: string, resetLink: string) {
  return [
    paragraph("If this was you, you don't have to wait. Open this link where you want to sign in:"),
    button('Unlock my account', unlockLink),
    smallPrint('Forgot your password?', 'Reset it', resetLink),
    smallPrint(
      "If this wasn't you, no action is needed: nobody got in, and you stay signed in. A longer password or two-factor sign-in makes your account safer.",
    ),
  ];
}

/**
 * After too many wrong passwords or codes in a session that is signed in.
 * @param data device, network: of whoever entered them; ended: whether the session was ended, because it was the last of
 *   its locks; minutes: how long the lock lasts otherwise
 */
export function sessionLocked(data: {
  fullName: string;
  device: string;
  network: string;
  ended: boolean;
  sessionsLink: string;
  resetLink: string;
  minutes: number;
}): MailContent {
  const what =
    'Someone who is signed in to your Packshot account entered a wrong password or code many times';
  const time = countLabel(data.minutes, 'minute');
  return composeMail({
    subject: 'Too many wrong passwords or codes',
    heading: 'Too many wrong passwords or codes',
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.ended
          ? `${what} again, so they have been signed out.`
          : `${what} in a row. For ${time}, nothing that protects your account can be changed there.`,
      ),
      facts(['Device', oneLine(data.device)], ['Network', oneLine(data.network)]),
      paragraph(
        data.ended
          ? 'If this was you, sign in again.'
          : "If this was you, you don't have to wait: sign out there and in again.",
      ),
      button('See where you are signed in', data.sessionsLink),
      smallPrint(
        "If this wasn't you, choose a new password now. It signs out everybody else:",
        'Reset your password',
        data.resetLink,
      ),
    ],
  });
}
