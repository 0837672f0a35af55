import { hasEnded, limits } from '#contract';
import { settlingMs } from '#shared/accounts/deletion.ts';
import { releaseHold } from '#shared/credits/holds.ts';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/remove.ts';
import { removeExpiredAccounts } from '#shared/data/accounts/unverified.ts';
import { removeUnadmitted } from '#shared/data/generations/list.ts';
import { findSellersWithPendingEntries } from '#shared/data/profiles/pending-entries.ts';
import { announce } from '#shared/generations/announce.ts';
import { settleGeneration } from '#shared/generations/settle.ts';
import type { WorkerContext } from './context.ts';
import { removeLeftPreviews } from './previews.ts';
import { mendQueueHold } from './provider-pause.ts';
import { forEachIsolated, runSteps } from './run-steps.ts';
import { addMissingJobs, endLongWaits, endOverdue } from './unfinished.ts';

/*
 * The reconciler: finds what a crash left half-done and finishes it. Every step may be replayed and may run in
 * several workers at once, since each ends in an update that only the first can make.
 */

/** Steps of a request or a worker that are younger than this may still be under way, in ms. */
export interface UpkeepAges {
  /** A request that has written its row but not let it into the queue. */
  requestMs: number;
  /** A decision whose hold and ledger have not followed. */
  decisionMs: number;
  /** A queued or running generation without a live job. */
  jobMs: number;
  /** A generation that has ended and whose previews are still there. */
  previewsMs: number;
  /** A sign-up without its user. */
  signUpMs: number;
  /** A sign-up whose address was not verified. */
  unverifiedMs: number;
  /** An event of Stripe's that was kept but not seen to. */
  eventMs: number;
  /** A period that is over without word from Stripe, and the pause between two questions about it. */
  renewalMs: number;
  /** An account that was given up, for which somebody may still write. */
  deletionMs: number;
  /** A file of an upload. */
  uploadMs: number;
}

export const usualAges: UpkeepAges = {
  requestMs: 120_000,
  decisionMs: 5_000,
  jobMs: 10_000,
  previewsMs: 60_000,
  signUpMs: 600_000,
  unverifiedMs: limits.unverifiedDays * 86_400_000,
  eventMs: 30_000,
  renewalMs: 3_600_000,
  deletionMs: settlingMs,
  // As long as a form may take to arrive, and as long again for its photos to be read.
  uploadMs: 2 * limits.bodySecondsMost * 1_000,
};

/** What one round mended, by kind. */
export interface UpkeepReport {
  decisionsApplied: number;
  holdsReleased: number;
  requestsDropped: number;
  jobsAdded: number;
  queueReleased: number;
  overdueEnded: number;
  waitsEnded: number;
  previewsRemoved: number;
  entriesPosted: number;
  accountsRemoved: number;
  accountsExpired: number;
  uploadsSwept: number;
}

const batch = 500;

/**
 * Runs one round; what needs Stripe has rounds of its own (billing-upkeep.ts).
 * @throws AggregateError with the errors of the steps that failed, after the others have run
 */
export async function reconcile(context: WorkerContext, ages: UpkeepAges = usualAges): Promise<UpkeepReport> {
  return runSteps<keyof UpkeepReport>({
    decisionsApplied: () => applyDecisions(context, before(ages.decisionMs)),
    requestsDropped: () => dropRequests(context, before(ages.requestMs)),
    holdsReleased: () => checkHolds(context, before(ages.requestMs)),
    queueReleased: () => mendQueueHold(context),
    overdueEnded: () => endOverdue(context, batch),
    waitsEnded: () => endLongWaits(context, batch),
    previewsRemoved: () => removeLeftPreviews(context, before(ages.previewsMs), batch),
    entriesPosted: () => postLeftEntries(context, before(ages.decisionMs)),
    accountsRemoved: () => removeIncompleteAccounts(context.db, before(ages.signUpMs)),
    accountsExpired: () => removeExpiredAccounts(context.db, before(ages.unverifiedMs), batch),
    // What a server that died left of its uploads, whether or not it ever starts again.
    uploadsSwept: () => context.storage.sweepIncoming(before(ages.uploadMs)),
    jobsAdded: () => addMissingJobs(context, before(ages.jobMs), batch),
  });
}

const before = (ageMs: number) => new Date(Date.now() - ageMs);

/** Decided, but whoever decided died before hold and ledger followed. */
async function applyDecisions(context: WorkerContext, cutoff: Date): Promise<number> {
  const rows = await context.db.generations
    .find({ settlement_due: true, ended_at: { $lt: cutoff } })
    .limit(batch)
    .lean();
  for (const row of rows) await settleGeneration(context, row);
  return rows.length;
}

/** Never answered: the request died between its row and its place in the queue, so nobody was promised anything. */
async function dropRequests(context: WorkerContext, cutoff: Date): Promise<number> {
  const rows = await context.db.generations
    .find({ state: 'queued', admitted_at: null, created_at: { $lt: cutoff } })
    .limit(batch)
    .lean();
  let dropped = 0;
  for (const row of rows) {
    if (!(await removeUnadmitted(context.db, row._id))) continue;
    await announce(context, row.profile, { profile: await releaseHold(context.db, row) });
    await context.storage.removeGeneration(row._id).catch((error) => {
      // A slow request that writes photos still: it removes them itself once it finds that its row is gone.
      context.log.warn({ err: error, generation: row._id }, 'files of a dropped request not removed');
    });
    dropped += 1;
  }
  return dropped;
}

/** Every hold belongs to a generation that has not ended. */
async function checkHolds(context: WorkerContext, cutoff: Date): Promise<number> {
  let released = 0;
  // No batch: where many sellers wait for long, most of these are in order, and the one that is not may be the last.
  for await (const profile of context.db.profiles
    .find({ 'holds.at': { $lt: cutoff } })
    .lean()
    .cursor()) {
    for (const hold of profile.holds.filter(({ at }) => at < cutoff)) {
      const row = await context.db.generations.findById(hold.generation).lean();
      if (row && !hasEnded(row.state)) continue;
      if (row) await settleGeneration(context, row);
      else {
        const generation = { _id: hold.generation, profile: profile._id };
        await announce(context, profile._id, { profile: await releaseHold(context.db, generation) });
      }
      released += 1;
    }
  }
  return released;
}

/** Entries recorded in profiles by a process that died before it posted them. */
async function postLeftEntries(context: WorkerContext, cutoff: Date): Promise<number> {
  let posted = 0;
  await forEachIsolated(
    await findSellersWithPendingEntries(context.db, batch),
    1,
    async (sellerId) => {
      posted += await postPendingEntries(context.db, sellerId, cutoff);
      return true;
    },
    (error, sellerId) => context.log.error({ err: error, profile: sellerId }, 'ledger entries not posted'),
  );
  return posted;
}
