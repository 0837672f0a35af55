/** The kinds of mail that Packshot sends, and which go first. */

export const mailKinds = [
  'verifyAddress',
  'addressTaken',
  'resetPassword',
  'passwordChanged',
  'confirmNewAddress',
  'addressChangeAsked',
  'addressChanged',
  'addressChangeUndone',
  'newAddressTaken',
  'accountLocked',
  'sessionLocked',
  'newSignIn',
  'twoFactorChanged',
  'recoveryCodeUsed',
  'recoveryCodesMade',
  'passkeyAdded',
  'passkeyRemoved',
  'generationEnded',
  'batchEnded',
  'paymentFailed',
  'subscriptionEnded',
  'accountDeleted',
  'contactMessage',
  'contactReceived',
  'application',
  'applicationReceived',
  'alert',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** Mails that may wait for mails about security, so that a mass of sign-ups does not delay a password reset. */
const ordinaryMails: ReadonlySet<MailKind> = new Set([
  'verifyAddress',
  'addressTaken',
  'newAddressTaken',
  'generationEnded',
  'batchEnded',
  'paymentFailed',
  'subscriptionEnded',
  'accountDeleted',
  'contactMessage',
  'contactReceived',
  'application',
  'applicationReceived',
]);

/** 0 is sent before 1. */
export const mailPriorities = [0, 1] as const;
export type MailPriority = (typeof mailPriorities)[number];

/** The priority of mails of a kind. */
export function mailPriority(kind: MailKind): MailPriority {
  return ordinaryMails.has(kind) ? 1 : 0;
}
