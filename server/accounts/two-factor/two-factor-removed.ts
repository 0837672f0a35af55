import { limits } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';

/** Records that a link in a mail has removed second factors, and tells the owner. @param user as it is now */
export async function twoFactorRemoved(
  context: ServerContext,
  user: Pick<UserRow, '_id' | 'email' | 'two_factor'>,
  by: 'reset' | 'undo',
  from: Origin,
): Promise<void> {
  await recordActivity(context.db, user._id, 'two-factor-off', from);
  await sendSecurityEmail(context, user, 'two-factor-removed', {
    by,
    at: new Date(),
    days: limits.youngFactorDays,
    on: user.two_factor !== null,
  });
}
