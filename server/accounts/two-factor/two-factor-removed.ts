import { limits } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { recordActivity } from '#shared/data/activities.ts';
import type { UserRow } from '#shared/data/users.ts';

/** Records that a link in a mail has turned two-factor sign-in off, and tells the owner. */
export async function twoFactorRemoved(
  context: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  by: 'reset' | 'undo',
  from: Origin,
): Promise<void> {
  await recordActivity(context.db, user._id, 'two-factor-off', from);
  await sendSecurityEmail(context, user, 'two-factor-removed', {
    ...{ by, at: new Date() },
    days: limits.youngFactorDays,
  });
}
