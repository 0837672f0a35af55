import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { checkRefusals } from './refusals.ts';
import { checkUnpaidCalls } from './unpaid-calls.ts';

/**
 * Refuses images of a seller who has caused too much of what nobody pays for, or too much that moderation refuses, today.
 * @param network as of `countedNetwork`
 * @throws AppError TOO_MANY_REFUSALS or UNPAID_CALLS
 */
export async function checkDailyBudgets(
  context: Parameters<typeof checkUnpaidCalls>[0] & Parameters<typeof checkRefusals>[0],
  profile: ProfileRow,
  network: string | undefined,
): Promise<void> {
  await Promise.all([checkRefusals(context, profile), checkUnpaidCalls(context, profile, network)]);
}
