import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';

/** Records that a recovery code was used, wherever a code is asked for, and tells the owner how many are left. */
export async function recoveryCodeUsed(
  context: ServerContext,
  user: Pick<UserRow, '_id' | 'email'>,
  from: Origin,
): Promise<void> {
  await recordActivity(context.db, user._id, 'recovery-code-used', from);
  const after = await findUser(context.db, user._id);
  const left = after?.two_factor?.recovery_codes.length ?? 0;
  await sendSecurityEmail(context, user, 'recovery-code-used', { left });
}
