import { pages } from '../shared/contract/index.ts';
import { findSettings } from '../shared/data/settings.ts';
import type { UserRow } from '../shared/data/user.ts';
import type { MailData, MailKind } from '../shared/mail/index.ts';
import { postMail } from '../shared/outbox.ts';
import type { ServerContext } from './context.ts';

/** The mails about changes of what protects an account, and the rest of what each of them says. */
type Notices = Pick<
  { [Kind in MailKind]: MailData<Kind> },
  'twoFactorChanged' | 'recoveryCodeUsed' | 'recoveryCodesMade'
>;

/**
 * Writes to a seller that something which protects the account has changed, unless they want no such mails.
 * @param details what the mail says besides the name and the links
 */
export async function noticeChange<Kind extends keyof Notices>(
  { data, relay, config }: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  kind: Kind,
  details: Omit<Notices[Kind], 'fullName' | 'profileLink'>,
): Promise<void> {
  const [settings, profile] = await Promise.all([
    findSettings(data, user._id),
    data.profiles.findById(user._id).select({ full_name: 1 }).lean(),
  ]);
  if (!profile || !settings?.security_notifications) return;
  await postMail(data, relay, kind, user.email, {
    ...details,
    fullName: profile.full_name,
    profileLink: config.linkUrl + pages.profile,
  } as unknown as MailData<Kind>);
}
