/** Mails about signing in: a new device, two-factor sign-in and its recovery codes. */

import { counted, inWords } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** After a sign-in from somewhere new. @param data.address the IP address that it came from */
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
      paragraph('Somebody signed in to your Packshot account from a device that we have not seen before:'),
      facts(
        ['When', inWords(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      paragraph(
        'If it was you, there is nothing to do. If it was not, end that session and change your password.',
      ),
      button('See my sessions', data.sessionsLink),
    ],
  });
}

/** After two-factor sign-in was turned on or off. */
export function twoFactorChanged(data: {
  fullName: string;
  enabled: boolean;
  at: Date;
  profileLink: string;
}): MailContent {
  const state = data.enabled ? 'on' : 'off';
  return composeMail({
    subject: `Two-factor sign-in is ${state}`,
    heading: `Two-factor sign-in is ${state}`,
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.enabled
          ? 'Signing in to your Packshot account now takes your password and a code from your authenticator app. Keep your recovery codes where you find them without your phone.'
          : 'Signing in to your Packshot account now takes your password alone. Your recovery codes no longer work.',
      ),
      facts(['Changed', inWords(data.at)]),
      button('Open my profile', data.profileLink),
      smallPrint(
        'If it was not you, change your password and sign out everywhere: both are in your profile.',
      ),
    ],
  });
}

/** After a sign-in with a recovery code. @param data.left recovery codes that still work */
export function recoveryCodeUsed(data: { fullName: string; left: number; profileLink: string }): MailContent {
  return composeMail({
    subject: 'A recovery code was used',
    heading: 'A recovery code was used',
    fullName: data.fullName,
    blocks: [
      paragraph(
        `Somebody signed in to your Packshot account with one of your recovery codes. It will not work again; you have ${counted(data.left, 'recovery code')} left.`,
      ),
      paragraph('You can make new ones in your profile at any time.'),
      button('Open my profile', data.profileLink),
      smallPrint('If it was not you, change your password, make new recovery codes and sign out everywhere.'),
    ],
  });
}

/** After new recovery codes were made in place of the old ones. */
export function recoveryCodesMade(data: { fullName: string; at: Date; profileLink: string }): MailContent {
  return composeMail({
    subject: 'New recovery codes were made',
    heading: 'New recovery codes were made',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Your Packshot account has new recovery codes for two-factor sign-in. The old ones no longer work: throw away where you wrote them down.',
      ),
      facts(['Made', inWords(data.at)]),
      button('Open my profile', data.profileLink),
      smallPrint('If it was not you, change your password, make new recovery codes and sign out everywhere.'),
    ],
  });
}
