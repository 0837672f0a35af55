import { pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import type { UserRow } from '#shared/data/users.ts';
import type { MailData } from '#shared/mail/index.ts';
import type { MailKind } from '#shared/mail/kinds.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/** The security emails and their data. */
type SecurityEmails = Pick<
  { [Kind in MailKind]: MailData<Kind> },
  'twoFactorChanged' | 'recoveryCodeUsed' | 'recoveryCodesMade' | 'passkeyAdded' | 'passkeyRemoved'
>;

/**
 * Sends a seller a mail about a change of what protects the account, unless they have turned such mails off.
 * @param details the data of the mail without name and link
 */
export async function sendSecurityEmail<Kind extends keyof SecurityEmails>(
  { db, relay, config }: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  kind: Kind,
  details: Omit<SecurityEmails[Kind], 'fullName' | 'securityLink'>,
): Promise<void> {
  const [settings, profile] = await Promise.all([findSettings(db, user._id), findProfile(db, user._id)]);
  if (!profile || !settings?.security_notifications) return;
  await enqueueMail(db, relay, kind, user.email, {
    ...details,
    fullName: profile.full_name,
    securityLink: config.linkUrl + pages.security,
  } as unknown as MailData<Kind>);
}
