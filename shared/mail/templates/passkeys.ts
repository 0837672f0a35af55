/** Mails about passkeys. */

import { dateLabel } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

const notYou =
  "If this wasn't you, reset your password now. That ends every session and removes passkeys that were added lately.";

/** After a passkey was added. @param data first: whether it has turned two-factor sign-in on; address: the IP address */
export function passkeyAdded(data: {
  fullName: string;
  name: string;
  at: Date;
  first: boolean;
  device: string;
  address: string;
  securityLink: string;
}): MailContent {
  return composeMail({
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added to your account',
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.first
          ? 'This passkey can sign in to your Packshot account without your password. Two-factor sign-in is now on: signing in with your password takes the passkey too. Store your recovery codes somewhere other than this device.'
          : 'This passkey can sign in to your Packshot account without your password.',
      ),
      facts(
        ['Passkey', oneLine(data.name)],
        ['Added', dateLabel(data.at)],
        ['Device', oneLine(data.device)],
        ['IP address', oneLine(data.address)],
      ),
      button('Open my security settings', data.securityLink),
      smallPrint(notYou),
    ],
  });
}

/** After a passkey was removed. @param data last: whether two-factor sign-in is off, because nothing else is left */
export function passkeyRemoved(data: {
  fullName: string;
  name: string;
  at: Date;
  last: boolean;
  securityLink: string;
}): MailContent {
  return composeMail({
    subject: 'A passkey was removed from your account',
    heading: 'A passkey was removed from your account',
    fullName: data.fullName,
    blocks: [
      paragraph(
        data.last
          ? 'It can no longer sign in to your Packshot account. Two-factor sign-in is now off: signing in takes only your password, and your recovery codes no longer work.'
          : 'It can no longer sign in to your Packshot account.',
      ),
      facts(['Passkey', oneLine(data.name)], ['Removed', dateLabel(data.at)]),
      button('Open my security settings', data.securityLink),
      smallPrint(
        "If this wasn't you, change your password and sign out everywhere. You'll find both in your security settings.",
      ),
    ],
  });
}
