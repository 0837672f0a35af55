import { hasEnded } from '#contract';
import { settleHold } from '#shared/credits/end-hold.ts';
import { usesHold } from '#shared/credits/holds.ts';
import { countUnpaidCallsOf } from '#shared/credits/unpaid-calls.ts';
import { postLedgerEntry } from '#shared/data/billing/credit-entries.ts';
import type { Db } from '#shared/data/db.ts';
import { recordSettled, recordSettledLater } from '#shared/data/generations/end.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { type CountedEnd, countEndInMinute } from '#shared/data/operator/minutes.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { isTestSeller } from '#shared/data/test-seller.ts';
import { endedGenerations, generationDuration, settledImages } from '#shared/metrics/metrics.ts';
import type { Config } from '#shared/platform/config.ts';
import { bucketOf } from '#shared/platform/histogram.ts';
import type { EventRelay } from '#shared/platform/relay.ts';
import { announce } from '#shared/views/announce.ts';
import { tellOfGeneration } from '#shared/webhooks/tell.ts';
import { enqueueGenerationMail, insertEndNotification, notifyOfBalance } from './notifications.ts';
import { recordRefusal } from './refusals.ts';
import { recordRemake } from './submit.ts';

/** What settling needs of the contexts of server and worker. */
export interface SettlementContext {
  db: Db;
  relay: EventRelay;
  config: Pick<Config, 'linkUrl' | 'dailyImages' | 'billing'>;
}

/** What settling needs of an attempt. */
interface EndedAttempt {
  /** Removes the files of all attempts, after the announcement. @returns whether they are removed */
  removeFiles(): Promise<boolean>;
  /** Called when it could not be recorded that the generation is settled. */
  notRecorded(error: unknown): void;
}

/**
 * Settles a generation that has ended: ends its hold, writes the notification, announces both, posts the ledger entry, records
 * the event for webhooks and queues the mail.
 *
 * Every step is idempotent, and `settlement_due` is cleared last: after a crash at any point upkeep repeats the
 * whole. The order of the steps:
 * - The hold ends and the notification is written before the announcement, because one event carries the generation, the new
 *   balance and the notification.
 * - The announcement comes before ledger entry and mail, because the seller waits for it, and each of them costs a round
 *   trip to the database. A client that misses it polls.
 * @param attempt the attempt that ended it just now. Without it, others remove the files of attempts
 * @throws when the generation has not ended
 */
export async function settleGeneration(
  context: SettlementContext,
  generation: GenerationRow,
  attempt?: EndedAttempt,
): Promise<void> {
  if (!hasEnded(generation.state)) throw new Error(`generation ${generation._id} has not ended`);
  const { db } = context;
  const { _id: key, profile: sellerId, count } = generation;
  const used = usesHold(generation);
  const usedKind = generation.remake_of === undefined ? 'settle' : 'remake';
  const kind = used ? usedKind : 'release';
  // Figures of the installation, refusals, notifications and mails are about what is real.
  const isTest = isTestSeller(sellerId);

  const [profile, notification] = await Promise.all([
    settleHold(db, generation, used),
    // A batch has one notification and one mail for all of its images (shared/batches/run.ts).
    generation.batch || isTest ? null : insertEndNotification(db, generation),
    isTest ? null : countUnpaidCallsOf(db, generation),
    isTest ? null : recordRefusal(db, generation),
  ]);
  await announce(context, sellerId, { generation, profile, notification });
  const removing = attempt?.removeFiles();
  const posted = await postLedgerEntry(db, {
    profile: sellerId,
    kind,
    key,
    count,
    period: null,
    at: new Date(),
  });
  // The entry is posted once, however often this is repeated.
  if (posted && !isTest) {
    countEnd(generation, kind);
    // Not awaited: it is for charts, and losing one does not matter.
    countEndInMinute(db, countedEndOf(generation)).catch(() => {});
  }
  if (!generation.batch && !isTest) await enqueueGenerationMail(context, generation, profile);
  if (used && !isTest) await notifyOfBalance(context, sellerId, profile);
  await tellOfGeneration(context, generation, profile ?? (await findProfile(db, sellerId)));
  await recordRemake(context, generation);
  const filesRemoved = (await removing) ?? false;
  if (!attempt) return recordSettled(db, key, filesRemoved);
  // Not awaited: the next job need not wait for it.
  recordSettledLater(db, key, filesRemoved).catch(attempt.notRecorded);
}

/** The end of a generation as it is counted for the operators' charts. How long images of batches waited says nothing. */
function countedEndOf(row: GenerationRow): CountedEnd {
  const at = row.ended_at ?? new Date();
  const made = row.state === 'succeeded';
  return {
    at,
    images: made ? row.count : 0,
    failure: row.failure?.code ?? null,
    bucket: made && !row.batch ? bucketOf(at.getTime() - row.created_at.getTime()) : null,
  };
}

/**
 * Counts a generation that has ended.
 * @param settled what became of its hold: the kind of its ledger entry
 */
function countEnd(row: GenerationRow, settled: 'settle' | 'remake' | 'release'): void {
  const kind = row.batch ? 'batch' : 'single';
  endedGenerations.inc({ outcome: row.state, code: row.failure?.code ?? 'none', kind });
  settledImages.inc({ kind: settled }, row.count);
  if (row.state !== 'succeeded' || !row.ended_at) return;
  generationDuration.observe({ kind }, (row.ended_at.getTime() - row.created_at.getTime()) / 1_000);
}
