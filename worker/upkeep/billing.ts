import { beginDueDeletions } from '#shared/accounts/delete-account.ts';
import { finishDeletions } from '#shared/accounts/deletion.ts';
import { carryOutBillingOrder } from '#shared/billing/billing-orders.ts';
import { handleEvent } from '#shared/billing/events.ts';
import { sendStatusEmails } from '#shared/billing/status-emails.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { findDueStripeEvents } from '#shared/data/billing/stripe-events.ts';
import { beginBillingRetry, findEndedPeriods, findPendingEmails } from '#shared/data/profiles/billing.ts';
import { findDueBillingOrders } from '#shared/data/profiles/billing-orders.ts';
import { retryDue } from '#shared/platform/retry.ts';
import type { WorkerContext } from '../context.ts';
import { forEachIsolated, runSteps } from './run-steps.ts';
import { type UpkeepAges, usualAges } from './upkeep.ts';

/*
 * The part of upkeep that calls Stripe. It has rounds of its own, so that a slow or unreachable Stripe delays no job. Each
 * seller and each event is tried on its own, with a longer delay after each failure, so that one delays no other.
 */

/** What one round did, by kind. */
export interface BillingUpkeepReport {
  eventsHandled: number;
  plansRenewed: number;
  emailsEnqueued: number;
  accountsDeleted: number;
  billingOrdersDone: number;
  deletionsBegun: number;
}

/** Maximum number of rows of one kind in a round. */
const batchSize = 200;

/** Rows of one kind that are processed at the same time. */
const lanes = 4;

/**
 * Runs one round.
 * @throws AggregateError with the errors of the steps that failed as a whole, after all have run
 */
export async function runBillingUpkeep(
  context: WorkerContext,
  ages: Omit<UpkeepAges, 'trashedMs'> = usualAges,
): Promise<BillingUpkeepReport> {
  const before = (ageMs: number) => new Date(Date.now() - ageMs);
  return runSteps<keyof BillingUpkeepReport>(
    {
      eventsHandled: () => retryEvents(context, before(ages.eventMs)),
      plansRenewed: () => syncEndedPeriods(context, before(ages.renewalMs)),
      emailsEnqueued: () => sendPendingEmails(context, before(ages.eventMs)),
      accountsDeleted: () => finishDeletions(context, before(ages.deletionMs), batchSize),
      deletionsBegun: () => beginDueDeletions(context, batchSize),
      billingOrdersDone: () => carryOutOrders(context),
    },
    { atOnce: true },
  );
}

/** Handles events whose handling failed or was interrupted by a crash. @returns how many were handled */
async function retryEvents(context: WorkerContext, before: Date): Promise<number> {
  return forEachIsolated(
    await findDueStripeEvents(context.db, before, batchSize),
    lanes,
    ({ _id }) => handleEvent(context, _id),
    (error, { _id, customer, tries }) =>
      context.log.warn({ err: error, event: _id, customer, tries }, 'an event is tried again later'),
  );
}

/** Asks Stripe about sellers whose period has ended without an event. @returns how many plans changed */
async function syncEndedPeriods(context: WorkerContext, before: Date): Promise<number> {
  const { db, log } = context;
  return forEachIsolated(
    await findEndedPeriods(db, before, batchSize),
    lanes,
    async ({ _id: sellerId, revision, billing_retry: retry }) => {
      // Counted before the request to Stripe, so that a seller for whom this process crashes is retried less and less often.
      const tries = (retry?.tries ?? 0) + 1;
      if (!(await beginBillingRetry(db, sellerId, before, { tries, due_at: retryDue(tries) }))) return false;
      const current = await syncBilling(context, sellerId);
      return current !== null && current.profile.revision !== revision;
    },
    (error, { _id, billing_retry: retry }) =>
      log.warn(
        { err: error, profile: _id, tries: retry?.tries ?? 0 },
        'reading a plan from Stripe is tried again later',
      ),
  );
}

/** Carries out what operators decided about the billing of sellers, and Stripe was not told yet. @returns how many were */
async function carryOutOrders(context: WorkerContext): Promise<number> {
  return forEachIsolated(
    await findDueBillingOrders(context.db, batchSize),
    lanes,
    (sellerId) => carryOutBillingOrder(context, sellerId),
    (error, sellerId) =>
      context.log.warn({ err: error, profile: sellerId }, "a seller's billing is changed later"),
  );
}

/** Sends status emails that a crash left in a profile. @returns how many sellers had some */
async function sendPendingEmails(context: WorkerContext, before: Date): Promise<number> {
  return forEachIsolated(
    await findPendingEmails(context.db, before, batchSize),
    lanes,
    async (profile) => (await sendStatusEmails(context, profile)) > 0,
    (error, { _id }) => context.log.error({ err: error, profile: _id }, 'status emails were not enqueued'),
  );
}
