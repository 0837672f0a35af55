import type { OperatorSellerView } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { unpaidCallsToday } from '#shared/credits/unpaid-calls.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { presentOperatorSellerView } from '#shared/generations/present-operator-seller.ts';

/** A seller as operators see them, with today's unpaid calls. */
export async function operatorSellerView(
  context: ServerContext,
  profile: ProfileRow,
): Promise<OperatorSellerView> {
  return presentOperatorSellerView(profile, await unpaidCallsToday(context, profile));
}
