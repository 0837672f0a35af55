/** Mails about passwords and the lock that wrong ones lead to. */
import { button, composeMail, facts, type MailContent, paragraph, smallPrint } from '../layout.ts';
import { counted, inWords } from '../words.ts';

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

/** After too many wrong passwords. @param data.minutes after which the lock opens by itself */
export function accountLocked(data: {
  fullName: string;
  unlockLink: string;
  resetLink: string;
  minutes: number;
}): MailContent {
  return composeMail({
    subject: 'Your account is locked for now',
    heading: 'Your account is locked for now',
    fullName: data.fullName,
    blocks: [
      paragraph(
        'Somebody entered a wrong password for your Packshot account many times in a row, so we have locked it to keep it safe.',
      ),
      paragraph(
        `It opens again by itself in ${counted(data.minutes, 'minute')}. If it was you, you need not wait:`,
      ),
      button('Unlock my account', data.unlockLink),
      smallPrint('Forgotten your password?', 'Choose a new one', data.resetLink),
      smallPrint(
        'If it was not you, your password has held. You need do nothing; a longer one or two-factor sign-in makes it safer still.',
      ),
    ],
  });
}
