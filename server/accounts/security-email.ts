import { pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import type { MailKind } from '#shared/data/mail-kinds.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { MailData } from '#shared/mail/index.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/**
 * Every change that makes an account less safe, or adds something that lets somebody in, and the mail that tells its owner.
 * No setting turns these mails off, because a thief could (docs/decisions/0087-factors.md).
 */
export const toldChanges = {
  'two-factor-on': 'twoFactorChanged',
  'two-factor-off': 'twoFactorChanged',
  'two-factor-removed': 'twoFactorRemoved',
  'two-factor-removal-asked': 'twoFactorRemovalAsked',
  'passkey-added': 'passkeyAdded',
  'passkey-removed': 'passkeyRemoved',
  'api-key-made': 'apiKeyMade',
  'webhook-made': 'webhookMade',
  'recovery-codes-made': 'recoveryCodesMade',
  'recovery-code-used': 'recoveryCodeUsed',
  'app-removed': 'securityChanged',
  'security-emails-off': 'securityChanged',
  'activity-log-off': 'securityChanged',
  'idle-sessions-longer': 'securityChanged',
  'password-expiry-later': 'securityChanged',
  unlocked: 'securityChanged',
  'signed-out-everywhere': 'securityChanged',
  'session-ended': 'securityChanged',
  'password-changed': 'passwordChanged',
  'password-reset': 'passwordChanged',
  'email-change-asked': 'addressChangeAsked',
  'email-changed': 'addressChanged',
  'email-change-undone': 'passwordChanged',
  'data-exported': 'dataExported',
  'account-deleted': 'accountDeleted',
} as const satisfies Record<string, MailKind>;

export type ToldChange = keyof typeof toldChanges;

/** Data of a mail without what `sendSecurityEmail` adds. */
type Details<Change extends ToldChange> = Omit<
  MailData<(typeof toldChanges)[Change]>,
  'fullName' | 'securityLink'
>;

/**
 * Tells a seller by mail of a change of what protects the account.
 * @param user with the address to which the mail goes
 * @param details the data of the mail without name and link
 */
export async function sendSecurityEmail<Change extends ToldChange>(
  { db, relay, config }: Pick<ServerContext, 'db' | 'relay' | 'config'>,
  user: Pick<UserRow, '_id' | 'email'>,
  change: Change,
  details: Details<Change>,
): Promise<void> {
  const profile = await findProfile(db, user._id);
  const data = {
    ...details,
    fullName: profile?.full_name ?? '',
    securityLink: config.linkUrl + pages.security,
  };
  await enqueueMail(db, relay, toldChanges[change], user.email, data as never);
}
