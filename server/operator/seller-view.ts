import type { OperatorSellerView } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { unpaidCallsToday } from '#shared/credits/unpaid-calls.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { presentOperatorSellerView } from './present-seller.ts';

/** A seller as operators see them, with today's unpaid calls and the removal of two-factor sign-in that waits. */
export async function operatorSellerView(
  context: ServerContext,
  profile: ProfileRow,
): Promise<OperatorSellerView> {
  const [unpaidCalls, user] = await Promise.all([
    unpaidCallsToday(context, profile),
    findUser(context.db, profile._id),
  ]);
  const dueAt = user?.two_factor_removal?.due_at ?? null;
  return presentOperatorSellerView(profile, unpaidCalls, dueAt, context.config.dailyImages);
}
