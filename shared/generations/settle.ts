import { hasEnded } from '#contract';
import { settleHold } from '#shared/credits/holds.ts';
import { postLedgerEntry } from '#shared/data/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { clearSettlementDue } from '#shared/data/generations/end.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { countEndInMinute } from '#shared/data/minutes.ts';
import { countEnd } from '#shared/metrics/count-end.ts';
import type { Config } from '#shared/platform/config.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { announce } from './announce.ts';
import { countedEndOf } from './counted-end.ts';
import { enqueueGenerationMail } from './generation-mail.ts';
import { notifyOfBalance, notifyOfEnd } from './generation-notifications.ts';
import { recordRemake } from './remakes.ts';
import { usesHold } from './uses-image.ts';

/** What settling needs of the contexts of server and worker. */
export interface SettlementContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'linkUrl'>;
}

/**
 * Settles a generation that has ended: ends its hold, announces it, posts the ledger entry, queues the mail and writes the
 * notifications.
 *
 * Every step is idempotent, and `settlement_due` is cleared last: after a crash at any point the reconciler repeats the
 * whole. The order of the steps:
 * - The hold ends before the announcement, because the announcement carries the new balance.
 * - The announcement comes before ledger entry, mail and notifications, because the seller waits for it, and each of them costs
 *   a round trip to the database. A client that misses it polls.
 * @throws when the generation has not ended
 */
export async function settleGeneration(context: SettlementContext, generation: GenerationRow): Promise<void> {
  if (!hasEnded(generation.state)) throw new Error(`generation ${generation._id} has not ended`);
  const { db } = context;
  const { _id: key, profile: sellerId, count } = generation;
  const used = usesHold(generation);
  const usedKind = generation.remake_of === undefined ? 'settle' : 'remake';
  const kind = used ? usedKind : 'release';

  const profile = await settleHold(db, generation, used);
  await announce(context, sellerId, { generation, profile });
  const posted = await postLedgerEntry(db, {
    profile: sellerId,
    kind,
    key,
    count,
    period: null,
    at: new Date(),
  });
  // The entry is posted once, however often this is repeated.
  if (posted) {
    countEnd(generation, kind);
    await countEndInMinute(db, countedEndOf(generation));
  }
  // A batch has one mail and one notification for all of its images (shared/batches/finish-batch.ts).
  if (!generation.batch) {
    await enqueueGenerationMail(context, generation);
    await notifyOfEnd(context, generation);
  }
  if (used) await notifyOfBalance(context, sellerId, profile);
  await recordRemake(context, generation);
  await clearSettlementDue(db, key);
}
