import type { BatchAction } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { checkDailyBudgets } from '#shared/credits/daily-budgets.ts';
import { countedNetwork } from '#shared/credits/unpaid-calls.ts';
import { recordBatchNetwork } from '#shared/data/batches/batches.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { refuseBatchByScene } from '#shared/generations/test-refusals.ts';

/** The state in which an action makes images of a batch begin; others begin none. */
const beginsIn: Readonly<Partial<Record<BatchAction, BatchRow['state']>>> = {
  start: 'uploading',
  resume: 'paused',
  retry: 'ended',
};

/**
 * Refuses an action that makes images of a batch begin while the unpaid calls or the refusals of today are used up, and stores the network
 * that their calls are counted for. A repeated action, which changes nothing, is not refused.
 * @throws AppError UNPAID_CALLS or TOO_MANY_REFUSALS; as `refuseBatchByScene`
 */
export async function admitBatch(
  context: ServerContext,
  batch: BatchRow,
  action: BatchAction,
  network: string,
): Promise<void> {
  if (batch.state !== beginsIn[action]) return;
  await refuseBatchByScene(context.db, batch);
  const profile = await findActiveProfile(context.db, batch.profile);
  // The action itself answers that the account is gone.
  if (!profile) return;
  const counted = countedNetwork(profile, network);
  await checkDailyBudgets(context, profile, counted);
  await recordBatchNetwork(context.db, batch._id, counted);
}
