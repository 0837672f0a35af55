/** Mails about sign-in: new devices, two-factor sign-in and recovery codes. */

import { countLabel, dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After a sign-in on a new device. @param data address: the IP address */
export function newSignIn(data: {
  fullName: string;
  at: Date;
  device: string;
  address: string;
  sessionsLink: string;
}): MailContent {
  return composeMail({
    subject: 'New sign-in to your account',
    heading: 'New sign-in to your account',
    fullName: data.fullName,
    blocks: [
      paragraph('Someone signed in to your Packshot account on a new device:'),
      facts(
        ['When', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      paragraph(
        "If this was you, no action is needed. If it wasn't, end that session and change your password.",
      ),
      button('View my sessions', data.sessionsLink),
    ],
  });
}

/** After two-factor sign-in was turned on or off. */
export function twoFactorChanged(data: {
  fullName: string;
  enabled: boolean;
  at: Date;
  securityLink: string;
}): MailContent {
  const state = data.enabled ? 'on' : 'off';
  return composeMail({
    subject: `Two-factor sign-in is ${state}`,
    heading: `Two-factor sign-in is ${state}`,
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.enabled
          ? 'Signing in to your Packshot account now takes your password and a code from your authenticator app. Store your recovery codes somewhere other than your phone.'
          : 'Signing in to your Packshot account now takes only your password. Your recovery codes no longer work.',
      ),
      facts(['Changed', dateLabel(data.at)]),
      button('Open my security settings', data.securityLink),
      smallPrint(
        data.enabled
          ? "If this wasn't you, choose “Forgot password” on the sign-in page within 7 days: a new password then turns two-factor sign-in off and signs everybody out."
          : "If this wasn't you, change your password and sign out everywhere. You'll find both in your security settings.",
      ),
    ],
  });
}

/** After a recovery code was used. @param data left: how many remain */
export function recoveryCodeUsed(data: {
  fullName: string;
  left: number;
  securityLink: string;
}): MailContent {
  return composeMail({
    subject: 'A recovery code was used',
    heading: 'A recovery code was used',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `Someone used one of your recovery codes in place of a code from your authenticator app. It won't work again; you have ${countLabel(data.left, 'recovery code')} left.`,
      ),
      paragraph('You can create new ones in your security settings at any time.'),
      button('Open my security settings', data.securityLink),
      smallPrint(
        "If this wasn't you, change your password, create new recovery codes and sign out everywhere.",
      ),
    ],
  });
}

/** After the recovery codes were replaced. */
export function recoveryCodesMade(data: { fullName: string; at: Date; securityLink: string }): MailContent {
  return composeMail({
    subject: 'New recovery codes were created',
    heading: 'New recovery codes were created',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account has new recovery codes for two-factor sign-in. The old ones no longer work: discard your old copies.',
      ),
      facts(['Created', dateLabel(data.at)]),
      button('Open my security settings', data.securityLink),
      smallPrint(
        "If this wasn't you, change your password, create new recovery codes and sign out everywhere.",
      ),
    ],
  });
}
