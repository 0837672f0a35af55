import { finishDeletions } from '#shared/accounts/deletion.ts';
import { handleEvent } from '#shared/billing/events.ts';
import { sendStatusEmails } from '#shared/billing/status-emails.ts';
import { syncBilling } from '#shared/billing/sync.ts';
import { retryDue } from '#shared/platform/retry.ts';
import type { WorkerContext } from './context.ts';
import { forEachIsolated, runSteps } from './run-steps.ts';
import { type UpkeepAges, usualAges } from './upkeep.ts';

/*
 * The part of the reconciler that asks Stripe. It has rounds of its own, so that a Stripe that is slow or away holds up
 * no job; and each customer and event is tried for itself, later each time it fails, so that one holds up no other.
 */

/** What one round mended, by kind. */
export interface BillingUpkeepReport {
  eventsHandled: number;
  plansRenewed: number;
  noticesPosted: number;
  accountsDeleted: number;
}

/** Rows of one kind that a round looks at. */
const batch = 200;

/** Rows of one kind that are seen to at a time. */
const lanes = 4;

/**
 * Runs one round.
 * @throws AggregateError with the errors of the steps that failed as a whole, after the others have run
 */
export async function reconcileBilling(
  context: WorkerContext,
  ages: UpkeepAges = usualAges,
): Promise<BillingUpkeepReport> {
  const before = (ageMs: number) => new Date(Date.now() - ageMs);
  return runSteps<keyof BillingUpkeepReport>(
    {
      eventsHandled: () => handleLeftEvents(context, before(ages.eventMs)),
      plansRenewed: () => followRenewals(context, before(ages.renewalMs)),
      noticesPosted: () => postLeftNotices(context, before(ages.eventMs)),
      accountsDeleted: () => finishDeletions(context, before(ages.deletionMs), batch),
    },
    { atOnce: true },
  );
}

/** Events whose handling failed, or whose process died. */
async function handleLeftEvents(context: WorkerContext, cutoff: Date): Promise<number> {
  const left = await context.db.stripeEvents
    .find({
      handled_at: null,
      received_at: { $lt: cutoff },
      $or: [{ due_at: null }, { due_at: { $lte: new Date() } }],
    })
    .sort({ received_at: 1 })
    .limit(batch)
    .lean();
  return forEachIsolated(
    left,
    lanes,
    ({ _id }) => handleEvent(context, _id),
    (error, { _id, customer, tries }) =>
      context.log.warn({ err: error, event: _id, customer, tries }, 'an event is tried again later'),
  );
}

/** A period is over, and no event came to say what follows: Stripe is asked. @returns how many plans changed */
async function followRenewals(context: WorkerContext, cutoff: Date): Promise<number> {
  const { db, log } = context;
  const isDue = () => ({
    'subscription_data.current_period_end': { $lt: cutoff },
    billing_seen_at: { $lt: cutoff },
    $or: [{ billing_retry: null }, { 'billing_retry.due_at': { $lte: new Date() } }],
  });
  const over = await db.profiles
    .find(isDue())
    .select({ _id: 1, revision: 1, billing_retry: 1 })
    .limit(batch)
    .lean();
  return forEachIsolated(
    over,
    lanes,
    async ({ _id, revision, billing_retry: retry }) => {
      // Counted before Stripe is asked, also when this process dies of it; the answer resets it.
      const tries = (retry?.tries ?? 0) + 1;
      const taken = await db.profiles.updateOne(
        { _id, ...isDue() },
        { $set: { billing_retry: { tries, due_at: retryDue(tries) } } },
      );
      if (taken.modifiedCount === 0) return false;
      const now = await syncBilling(context, _id);
      return now !== null && now.profile.revision !== revision;
    },
    (error, { _id, billing_retry: retry }) =>
      log.warn(
        { err: error, profile: _id, tries: retry?.tries ?? 0 },
        'Stripe is asked about a plan again later',
      ),
  );
}

/** Mails about plans whose process died before it had posted them. */
async function postLeftNotices(context: WorkerContext, cutoff: Date): Promise<number> {
  const left = await context.db.profiles
    .find({ 'pending_emails.at': { $lt: cutoff } })
    .limit(batch)
    .lean();
  return forEachIsolated(
    left,
    lanes,
    async (profile) => (await sendStatusEmails(context, profile)) > 0,
    (error, { _id }) => context.log.error({ err: error, profile: _id }, 'mails about a plan were not posted'),
  );
}
