/** All mails that Packshot sends, by their kind. */
import type { MailKind } from '#shared/data/mail-kinds.ts';
import type { MailContent } from './layout.ts';
import { accountDeleted, deletionPlanned } from './templates/account-deleted.ts';
import { accountDisabled, accountEnabled } from './templates/account-disabled.ts';
import {
  addressChangeAsked,
  addressChanged,
  addressChangeUndone,
  addressTaken,
  confirmNewAddress,
  newAddressTaken,
  verifyAddress,
} from './templates/addresses.ts';
import { alert } from './templates/alert.ts';
import { apiKeyMade } from './templates/api-keys.ts';
import { paymentFailed, subscriptionEnded } from './templates/billing.ts';
import { confirmReachable } from './templates/confirm-reachable.ts';
import { application, applicationReceived, contactMessage, contactReceived } from './templates/contact.ts';
import { dataExported } from './templates/data-exported.ts';
import { batchEnded, generationEnded } from './templates/generations.ts';
import { passkeyAdded, passkeyRemoved } from './templates/passkeys.ts';
import { accountLocked, passwordChanged, resetPassword, sessionLocked } from './templates/passwords.ts';
import { securityChanged, twoFactorRemovalAsked, twoFactorRemoved } from './templates/security.ts';
import { newSignIn, recoveryCodesMade, recoveryCodeUsed, twoFactorChanged } from './templates/sign-in.ts';
import { webhookMade, webhookOff } from './templates/webhooks.ts';

export type { MailContent } from './layout.ts';

/** The template of each kind. */
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
  sessionLocked,
  newSignIn,
  twoFactorChanged,
  recoveryCodeUsed,
  recoveryCodesMade,
  dataExported,
  confirmReachable,
  securityChanged,
  twoFactorRemoved,
  twoFactorRemovalAsked,
  passkeyAdded,
  passkeyRemoved,
  apiKeyMade,
  generationEnded,
  batchEnded,
  webhookMade,
  webhookOff,
  paymentFailed,
  subscriptionEnded,
  accountDisabled,
  accountEnabled,
  deletionPlanned,
  accountDeleted,
  contactMessage,
  contactReceived,
  application,
  applicationReceived,
  alert,
} satisfies Record<MailKind, unknown>;

/** The data that the template of a kind takes; undefined if it takes none. */
export type MailData<Kind extends MailKind> = Parameters<(typeof mailTemplates)[Kind]>[0];

/** Renders a mail. */
export function makeMail<Kind extends MailKind>(kind: Kind, data: MailData<Kind>): MailContent {
  const template = mailTemplates[kind] as (data: MailData<Kind>) => MailContent;
  return template(data);
}
