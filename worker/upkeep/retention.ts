import { findEndedOf } from '#shared/data/generations/find.ts';
import { deleteGeneration } from '#shared/data/generations/library.ts';
import { deleteForEver } from '#shared/data/generations/trash.ts';
import { doImagesEnd, findSellersWhoseImagesEnd, recordImagesEnded } from '#shared/data/profiles/billing.ts';
import { type AgingKind, removeOldest } from '#shared/data/retention.ts';
import { announce } from '#shared/views/announce.ts';
import type { WorkerContext } from '../context.ts';
import { runSteps } from './run-steps.ts';

/*
 * What is kept for a limited time (docs/decisions/0065-retention.md). Each round removes a few hundred of each kind, so
 * that it delays nothing else. Several workers may do it at once, and a crash only delays what is left.
 */

/** What one round removed, by kind. */
export interface RetentionReport extends Record<AgingKind, number> {
  images: number;
}

/** Rows of one kind that a round removes, and images that it deletes, at most. */
const batchSize = 300;

/**
 * Runs one round.
 * @param limit how many of each kind are removed
 * @throws AggregateError with the errors of the kinds that failed, after the others
 */
export function removeExpired(context: WorkerContext, limit = batchSize): Promise<RetentionReport> {
  const { db, config } = context;
  const { retention } = config;
  const oldest = (kind: AgingKind, kept: number | null) => async () =>
    kept === null ? 0 : removeOldest(db, kind, new Date(Date.now() - kept), limit);
  return runSteps<keyof RetentionReport>({
    activities: oldest('activities', retention.activities),
    notifications: oldest('notifications', retention.notifications),
    stripeEvents: oldest('stripeEvents', retention.stripeEvents),
    costs: oldest('costs', retention.costs),
    images: () => deleteImages(context, limit),
  });
}

/**
 * Deletes images of sellers whose plan ended long ago, also those in the trash, for ever as the sellers could themselves: upkeep
 * removes their texts and files, and what the ledger and the audit need stays (decision 45).
 */
async function deleteImages(context: WorkerContext, limit: number): Promise<number> {
  const { db, config } = context;
  if (config.retention.images === null) return 0;
  let deleted = 0;
  for (const sellerId of await findSellersWhoseImagesEnd(db, limit)) {
    for (const id of await findEndedOf(db, sellerId, limit - deleted)) {
      // A plan that begins now keeps what is left.
      if (!(await doImagesEnd(db, sellerId))) break;
      await deleteGeneration(db, sellerId, id);
      const row = await deleteForEver(db, sellerId, id);
      if (row === null || row === 'done') continue;
      await announce(context, sellerId, { generation: row });
      deleted += 1;
    }
    if (deleted >= limit) break;
    await recordImagesEnded(db, sellerId);
  }
  return deleted;
}
