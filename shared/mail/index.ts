/** All mails that Packshot sends, by their kind. */
import type { MailContent } from './layout.ts';
import { accountDeleted } from './templates/account-deleted.ts';
import {
  addressChangeAsked,
  addressChanged,
  addressChangeUndone,
  addressTaken,
  confirmNewAddress,
  newAddressTaken,
  verifyAddress,
} from './templates/addresses.ts';
import { paymentFailed, subscriptionEnded } from './templates/billing.ts';
import { generationEnded } from './templates/generations.ts';
import { accountLocked, passwordChanged, resetPassword } from './templates/passwords.ts';
import { newSignIn, recoveryCodesMade, recoveryCodeUsed, twoFactorChanged } from './templates/sign-in.ts';

export type { MailContent } from './layout.ts';

/** What makes each mail out of plain data. */
export const mailTemplates = {
  verifyAddress,
  addressTaken,
  resetPassword,
  passwordChanged,
  confirmNewAddress,
  addressChangeAsked,
  addressChanged,
  addressChangeUndone,
  newAddressTaken,
  accountLocked,
  newSignIn,
  twoFactorChanged,
  recoveryCodeUsed,
  recoveryCodesMade,
  generationEnded,
  paymentFailed,
  subscriptionEnded,
  accountDeleted,
};

export type MailKind = keyof typeof mailTemplates;

/**
 * Mails that can wait for those about security: however many people sign up or generations end, who resets a password or
 * has to hear that something was changed gets that mail at once. What is not named here is about security.
 */
const ordinaryMails: ReadonlySet<MailKind> = new Set([
  'verifyAddress',
  'addressTaken',
  'newAddressTaken',
  'generationEnded',
  'paymentFailed',
  'subscriptionEnded',
  'accountDeleted',
]);

/** Which mails are sent first: 0 before 1. */
export type MailPriority = 0 | 1;

/** How urgent the mails of a kind are. */
export function mailPriority(kind: MailKind): MailPriority {
  return ordinaryMails.has(kind) ? 1 : 0;
}

/** What the template of a kind takes; undefined for a mail without data. */
export type MailData<Kind extends MailKind> = Parameters<(typeof mailTemplates)[Kind]>[0];

/** Makes the mail of a kind. */
export function makeMail<Kind extends MailKind>(kind: Kind, data: MailData<Kind>): MailContent {
  const template = mailTemplates[kind] as (data: MailData<Kind>) => MailContent;
  return template(data);
}
