import { checkUnpaidCalls } from '#shared/credits/unpaid-calls.ts';
import { pauseBatch } from '#shared/data/batches/batches.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { BatchContext } from './context.ts';

/** Pauses a batch whose seller has used up the unpaid calls of today. @returns whether it was paused */
export async function pauseForUnpaidCalls(
  context: BatchContext,
  batch: BatchRow,
  profile: ProfileRow,
): Promise<boolean> {
  try {
    await checkUnpaidCalls(context, profile, batch.network);
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseBatch(context.db, batch._id, error.message);
    return true;
  }
}
