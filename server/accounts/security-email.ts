import { pages } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import type { UserRow } from '#shared/data/users.ts';
import type { MailData } from '#shared/mail/index.ts';
import type { MailKind } from '#shared/mail/kinds.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/** The mails about changes of what protects an account, and the rest of what each of them says. */
type SecurityEmails = Pick<
  { [Kind in MailKind]: MailData<Kind> },
  'twoFactorChanged' | 'recoveryCodeUsed' | 'recoveryCodesMade'
>;

/**
 * Writes to a seller that something which protects the account has changed, unless they want no such mails.
 * @param details what the mail says besides the name and the links
 */
export async function sendSecurityEmail<Kind extends keyof SecurityEmails>(
  { db, relay, config }: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  kind: Kind,
  details: Omit<SecurityEmails[Kind], 'fullName' | 'profileLink'>,
): Promise<void> {
  const [settings, profile] = await Promise.all([findSettings(db, user._id), findProfile(db, user._id)]);
  if (!profile || !settings?.security_notifications) return;
  await enqueueMail(db, relay, kind, user.email, {
    ...details,
    fullName: profile.full_name,
    profileLink: config.linkUrl + pages.profile,
  } as unknown as MailData<Kind>);
}
