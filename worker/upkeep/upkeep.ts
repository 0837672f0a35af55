import { limits } from '#contract';
import { serverLimits } from '#contract/server-limits.ts';
import { settlingMs } from '#shared/accounts/deletion.ts';
import { finishFreeImageClaims } from '#shared/accounts/free-images.ts';
import { removeDueTwoFactor } from '#shared/accounts/remove-two-factor.ts';
import { postPendingEntries } from '#shared/credits/ledger.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/create.ts';
import { removeExpiredAccounts } from '#shared/data/accounts/unverified.ts';
import { findDeletedLooks, removeLook } from '#shared/data/looks.ts';
import { findSellersWithPendingEntries } from '#shared/data/profiles/images.ts';
import { findDeletedProjects, removeProject } from '#shared/data/projects.ts';
import { emptyProject } from '#shared/projects/empty-project.ts';
import { endLostCalls } from '#worker/flow/daily-budget.ts';
import { rebaseTurns } from '#worker/flow/fair-order.ts';
import { mendQueueHold } from '#worker/flow/provider-pause.ts';
import { removeLeftAttempts } from '#worker/generate/previews.ts';
import type { WorkerContext } from '../context.ts';
import { continueBatches, removeUnstartedBatches } from './batches.ts';
import {
  completeSets,
  dropRequests,
  endOrphanedHolds,
  purgeDeleted,
  removeLeftFiles,
  settleEnded,
} from './generations.ts';
import { forEachIsolated, runSteps } from './run-steps.ts';
import { addMissingJobs, endLongWaits, endOverdue } from './unfinished.ts';

/*
 * Upkeep: finds what a crash left undone and finishes it (docs/generations.md). Every step is idempotent and
 * ends in an update that only one process can make, so several workers may run it at once.
 */

/** How old something must be before upkeep acts on it, in ms: what is younger may still be in progress. */
export interface UpkeepAges {
  /** A generation in state `receiving`. */
  requestMs: number;
  /** A generation that has ended and is not settled, a pending ledger entry, or free images that are not granted. */
  settlementMs: number;
  /** A queued or running generation without a live job. */
  jobMs: number;
  /** A generation that has ended and still has previews. */
  previewsMs: number;
  /** A generation in the trash. */
  trashedMs: number;
  /** A batch that was not started. */
  unstartedBatchMs: number;
  /** A sign-up without its user. */
  signUpMs: number;
  /** A sign-up whose address was not verified. */
  unverifiedMs: number;
  /** A Stripe event that was stored and not processed. */
  eventMs: number;
  /** A billing period that has ended without an event; also the time between two readings because of it. */
  renewalMs: number;
  /** An account that is marked for deletion: until then a request or worker may still write for it. */
  deletionMs: number;
  /** A file of an upload. */
  uploadMs: number;
}

/** The ages that no setting says. */
export const usualAges: Omit<UpkeepAges, 'trashedMs'> = {
  requestMs: 120_000,
  settlementMs: 5_000,
  jobMs: 10_000,
  previewsMs: 60_000,
  unstartedBatchMs: limits.batchUploadDays * 86_400_000,
  signUpMs: 600_000,
  unverifiedMs: limits.unverifiedDays * 86_400_000,
  eventMs: 30_000,
  renewalMs: 3_600_000,
  deletionMs: settlingMs,
  // The longest time in which a form may arrive, and as much again for processing its photos.
  uploadMs: 2 * serverLimits.bodySecondsMost * 1_000,
};

/** The ages of an installation. */
const agesOf = ({ retention }: WorkerContext['config']): UpkeepAges => ({
  ...usualAges,
  trashedMs: retention.trash + trashMarginMs,
});

/** How much later than the server, which restores until then, upkeep purges: the clocks of two machines may differ. */
const trashMarginMs = 60_000;

/** What one round did: a count for each step. */
export interface UpkeepReport {
  generationsSettled: number;
  holdsReleased: number;
  requestsDropped: number;
  filesRemoved: number;
  takesEnqueued: number;
  jobsAdded: number;
  queueReleased: number;
  overdueEnded: number;
  waitsEnded: number;
  previewsRemoved: number;
  generationsPurged: number;
  projectsRemoved: number;
  looksRemoved: number;
  batchesContinued: number;
  batchesRemoved: number;
  entriesPosted: number;
  freeImagesGranted: number;
  accountsRemoved: number;
  accountsExpired: number;
  uploadsSwept: number;
  turnsRebased: number;
  factorsRemoved: number;
  lostCostsEnded: number;
}

/** Documents that a step processes in one round, at most. */
const batch = 500;

/** The steps for images, which the sandbox has as well: those that name what images are counted by need nothing else. */
const imageSteps = (context: WorkerContext, ages: UpkeepAges) => ({
  generationsSettled: () => settleEnded(context, before(ages.settlementMs), batch),
  takesEnqueued: () => completeSets(context, before(ages.jobMs), batch),
  requestsDropped: () => dropRequests(context, before(ages.requestMs), batch),
  filesRemoved: () => removeLeftFiles(context, before(ages.requestMs), batch),
  holdsReleased: () => endOrphanedHolds(context, before(ages.requestMs)),
  overdueEnded: () => endOverdue(context, batch),
  previewsRemoved: () => removeLeftAttempts(context, before(ages.previewsMs), batch),
  generationsPurged: () =>
    purgeDeleted(
      context,
      { deletedBefore: before(ages.trashedMs), endedBefore: before(ages.previewsMs) },
      batch,
    ),
  batchesContinued: () => continueBatches(context, batch),
  turnsRebased: () => rebaseTurns(context),
  jobsAdded: () => addMissingJobs(context, before(ages.jobMs), batch),
});

/** Runs one round for the images of the sandbox. @throws as {@link runUpkeep} */
export const runImageUpkeep = (context: WorkerContext, ages: UpkeepAges = agesOf(context.config)) =>
  runSteps(imageSteps(context, ages));

/**
 * Runs one round. Steps that need Stripe have rounds of their own (billing-upkeep.ts).
 * @throws AggregateError with the errors of the steps that failed, after the others have run
 */
export async function runUpkeep(
  context: WorkerContext,
  ages: UpkeepAges = agesOf(context.config),
): Promise<UpkeepReport> {
  const { jobsAdded, ...ofImages } = imageSteps(context, ages);
  return runSteps<keyof UpkeepReport>({
    ...ofImages,
    queueReleased: () => mendQueueHold(context),
    waitsEnded: () => endLongWaits(context, batch),
    projectsRemoved: () => removeDeletedProjects(context, before(ages.jobMs), before(ages.requestMs)),
    looksRemoved: () => removeDeletedLooks(context, before(ages.requestMs)),
    batchesRemoved: () =>
      removeUnstartedBatches(
        context,
        { receivedBefore: before(ages.requestMs), createdBefore: before(ages.unstartedBatchMs) },
        batch,
      ),
    freeImagesGranted: () => finishFreeImageClaims(context, before(ages.settlementMs), batch),
    entriesPosted: () => postOldEntries(context, before(ages.settlementMs)),
    accountsRemoved: () => removeIncompleteAccounts(context.db, before(ages.signUpMs)),
    accountsExpired: () => removeExpiredAccounts(context.db, before(ages.unverifiedMs), batch),
    // Also done by each server for its own uploads when it starts; a server that died may never start again.
    uploadsSwept: () => context.storage.sweepWork(before(ages.uploadMs)),
    factorsRemoved: () => removeDueTwoFactor(context, batch),
    lostCostsEnded: () => endLostCalls(context),
    // After the queue is released.
    jobsAdded,
  });
}

const before = (ageMs: number) => new Date(Date.now() - ageMs);

/**
 * Empties deleted projects, whose request may have died, and removes them.
 * @param removable those that were deleted before then: no request that knew one is still under way
 */
async function removeDeletedProjects({ db }: WorkerContext, cutoff: Date, removable: Date): Promise<number> {
  let removed = 0;
  for (const row of await findDeletedProjects(db, cutoff, batch)) {
    await emptyProject(db, row);
    if (!row.deletion || row.deletion.at >= removable) continue;
    await removeProject(db, row._id);
    removed += 1;
  }
  return removed;
}

/** Removes looks that were deleted before then: no request still writes their files. */
async function removeDeletedLooks({ db, storage }: WorkerContext, cutoff: Date): Promise<number> {
  const ids = await findDeletedLooks(db, cutoff, batch);
  for (const id of ids) {
    // The row goes after its files: after a crash, the files are found by it.
    await storage.removeLook(id);
    await removeLook(db, id);
  }
  return ids.length;
}

/** Posts ledger entries whose process died after it recorded them. */
async function postOldEntries(context: WorkerContext, cutoff: Date): Promise<number> {
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
