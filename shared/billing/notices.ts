import { pages, plans } from '../contract/index.ts';
import type { PlanNotice, ProfileRow } from '../data/profile.ts';
import { postMail } from '../outbox.ts';
import type { BillingContext } from './client.ts';

type NoticeContext = Pick<BillingContext, 'data' | 'relay' | 'config'>;

/**
 * Posts the mails about the plan that stand in a profile and takes them off it. Whoever dies in between leaves them to
 * the next one; a mail is sent once, however often it is posted.
 * @returns how many
 */
export async function postNotices(context: NoticeContext, profile: ProfileRow): Promise<number> {
  for (const notice of profile.notices) {
    if (!profile.deletion_asked_at) await post(context, profile, notice);
    await context.data.profiles.updateOne({ _id: profile._id }, { $pull: { notices: { id: notice.id } } });
  }
  return profile.notices.length;
}

async function post(
  { data, relay, config }: NoticeContext,
  { email, full_name: fullName }: ProfileRow,
  { id, kind, plan, grace_until: graceUntil }: PlanNotice,
): Promise<void> {
  const link = config.linkUrl + pages.profile;
  if (kind === 'paymentFailed') {
    await postMail(data, relay, kind, email, { fullName, graceUntil, portalLink: link }, { id });
  } else {
    const planName = plans[plan].name;
    await postMail(data, relay, kind, email, { fullName, planName, subscribeLink: link }, { id });
  }
}
