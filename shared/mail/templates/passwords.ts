/** Mails about passwords and the lock that wrong ones lead to. */

import { counted, inWords } from '#shared/mail/labels.ts';
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '#shared/mail/layout.ts';
import { oneLine } from '#shared/mail/one-line.ts';

/** When somebody asks to set a new password. @param data.minutes how long the link works */
export function resetPassword(data: { fullName: string; link: string; minutes: number }): MailContent {
  return composeMail({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    fullName: data.fullName,
    blocks: [
      paragraph('Somebody, most likely you, asked for a new password for your Packshot account.'),
      button('Choose a new password', data.link),
      smallPrint(
        `The link works once and for ${counted(data.minutes, 'minute')}. If you did not ask for it, ignore this mail: your password stays as it is.`,
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
      paragraph('The password of your Packshot account is a new one. If you changed it, all is well.'),
      facts(['Changed', inWords(data.at)]),
      smallPrint('If it was not you, take your account back now:', 'Choose a new password', data.resetLink),
    ],
  });
}

/**
 * After too many wrong passwords.
 * @param data.locked who is kept out: the network, a device that has signed in before, or every device that has not
 * @param data.minutes after which the lock opens by itself
 */
export function accountLocked(data: {
  fullName: string;
  locked: 'network' | 'device' | 'everybody';
  network: string;
  unlockLink: string;
  resetLink: string;
  minutes: number;
}): MailContent {
  const time = counted(data.minutes, 'minute');
  const what = {
    network: `Somebody entered a wrong password for your Packshot account many times in a row. Signing in from that network is stopped for ${time}. Everywhere else, and on devices that you have used before, you can sign in as usual.`,
    device: `Somebody entered a wrong password for your Packshot account many times in a row, on a device that you have used before. Signing in on that device is stopped for ${time}. Everywhere else you can sign in as usual.`,
    everybody: `Somebody is trying many passwords or codes for your Packshot account. Signing in on new devices is stopped for ${time}. On devices that you have used before you can sign in as usual.`,
  };
  return composeMail({
    subject: 'Too many wrong passwords',
    heading: 'Too many wrong passwords',
    fullName: data.fullName,
    blocks: [
      paragraph(what[data.locked]),
      facts(['Network', oneLine(data.network)]),
      paragraph("If it was you, you don't have to wait:"),
      button('Unlock my account', data.unlockLink),
      smallPrint('Forgot your password?', 'Choose a new one', data.resetLink),
      smallPrint(
        "If it wasn't you, no action is needed: nobody got in, and you stay signed in. A longer password or two-factor sign-in makes your account safer.",
      ),
    ],
  });
}
