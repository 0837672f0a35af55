import { releaseBatchHolds } from '#shared/credits/batch-holds.ts';
import { clearItems } from '#shared/data/batches/items.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { findUnendedIn } from '#shared/data/generations/batches.ts';
import { cancelGeneration } from '#shared/data/generations/end.ts';
import { announce } from '#shared/generations/announce.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import type { BatchContext } from './context.ts';

/**
 * Cancels what is left of a batch whose `cancelled_at` is set: the images that wait come back to the balance, those under
 * way are cancelled unless a preview is visible; these are made. Idempotent.
 */
export async function cancelRest(context: BatchContext, batch: BatchRow): Promise<void> {
  const { db, relay } = context;
  // Before the holds: an image that is enqueued at this moment finds no hold, and one that has its hold is cancelled below.
  await clearItems(db, batch._id);
  await announce(context, batch.profile, { profile: await releaseBatchHolds(db, batch) });
  for (const { _id: id } of await findUnendedIn(db, batch._id)) {
    const cancel = await cancelGeneration(db, batch.profile, id, false);
    if (cancel.outcome !== 'cancelled') continue;
    relay.publishCancel(id);
    await settleGeneration(context, cancel.row);
  }
}
