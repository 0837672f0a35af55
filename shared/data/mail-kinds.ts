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
  'dataExported',
  'confirmReachable',
  'securityChanged',
  'twoFactorRemoved',
  'twoFactorRemovalAsked',
  'passkeyAdded',
  'passkeyRemoved',
  'apiKeyMade',
  'webhookMade',
  'generationEnded',
  'batchEnded',
  'webhookOff',
  'paymentFailed',
  'subscriptionEnded',
  'accountDisabled',
  'accountEnabled',
  'deletionPlanned',
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
  'webhookOff',
  'paymentFailed',
  'subscriptionEnded',
  'accountDisabled',
  'accountEnabled',
  'deletionPlanned',
  'accountDeleted',
  'contactMessage',
  'contactReceived',
  'application',
  'applicationReceived',
]);

/**
 * Mails that anybody can ask for, perhaps the owner: their links prove that mail arrives. One in `limits.unreachableTryHours` is
 * tried although mail to the address came back.
 */
const triedMails: ReadonlySet<MailKind> = new Set(['verifyAddress', 'resetPassword']);

/** The mail that the owner asks for in a session, once in `limits.unreachableTryHours`, to show that mail arrives again. */
const confirmation: MailKind = 'confirmReachable';

/** Mails to us: a refusal is a mistake in the settings. */
const mailsToUs: ReadonlySet<MailKind> = new Set(['contactMessage', 'application', 'alert']);

/** The setting by which a seller turns mails of a kind off. All others always come: those about security, payments and orders. */
const turnedOffBy = { generationEnded: 'emailNotifications' } as const satisfies Partial<
  Record<MailKind, string>
>;

/** A kind of mail that a seller can turn off. */
export type OptionalMailKind = keyof typeof turnedOffBy;

/** @returns the setting that turns mails of a kind off; undefined if none does */
export function settingThatTurnsOff(kind: string): (typeof turnedOffBy)[OptionalMailKind] | undefined {
  return Object.hasOwn(turnedOffBy, kind) ? turnedOffBy[kind as OptionalMailKind] : undefined;
}

/** What happens to a mail of a kind when mail to its address comes back. */
export function treatmentOf(kind: MailKind): 'to us' | 'tried' | 'tried once' | 'suppressed' {
  if (mailsToUs.has(kind)) return 'to us';
  if (kind === confirmation) return 'tried';
  return triedMails.has(kind) ? 'tried once' : 'suppressed';
}

/** 0 is sent before 1. */
export const mailPriorities = [0, 1] as const;
export type MailPriority = (typeof mailPriorities)[number];

/** The priority of mails of a kind. */
export function mailPriority(kind: MailKind): MailPriority {
  return ordinaryMails.has(kind) ? 1 : 0;
}
