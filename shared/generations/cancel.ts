import { type BatchContext, continueBatchSoon } from '#shared/batches/run.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import { settleGeneration } from './settle.ts';

/** The errors of a cancel that changed nothing. */
const refusals = { refused: 'PREVIEW_SHOWN', ended: 'GENERATION_ENDED', absent: 'NOT_FOUND' } as const;

/**
 * Cancels a generation that has not ended, and settles it.
 * @param agreed whether its image may be used, if a preview is visible
 * @returns its row
 * @throws AppError NOT_FOUND, GENERATION_ENDED, or PREVIEW_SHOWN unless agreed
 */
export async function cancel(
  context: BatchContext,
  sellerId: string,
  id: string,
  agreed: boolean,
): Promise<GenerationRow> {
  const cancelled = await cancelGeneration(context.db, sellerId, id, agreed);
  if (cancelled.outcome !== 'cancelled') throw new AppError(refusals[cancelled.outcome]);
  const { row } = cancelled;
  context.relay.publishCancel(row._id);
  await settleGeneration(context, row);
  if (row.batch) continueBatchSoon(context, row.batch.id);
  return row;
}
