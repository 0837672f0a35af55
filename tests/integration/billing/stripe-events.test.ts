import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { type PlanId, paths } from '#contract';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
import { idOf } from '#shared/billing/catalogue.ts';
import { eventSchema, eventTypes, handleEvent, recordEvent } from '#shared/billing/events.ts';
import { connectionOf } from '#shared/data/models.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { FaultError, faultKinds, withFault } from '#tests/support/faults.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { askFor, deliver, eventsAbout, profileOf, sessionOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { reconcileBilling } from '#worker/billing-upkeep.ts';
import { reconcile } from '#worker/upkeep.ts';

const seed = randomInt(2 ** 31);
console.log(`stripe-events.test.ts: seed ${seed}`);

// Upkeep would mend before a test has looked.
const test = testWithCrashableDb({ workers: 0, settings: { UPKEEP_INTERVAL_MS: '600000' } });
test.afterEach(({ stack }) => stack.stripe.reset());

async function expectClean(stack: TestStack): Promise<void> {
  expect(await stack.audit()).toEqual([]);
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
}

async function answerOf(coming: Promise<Response>) {
  const reply = await coming;
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

test('an event that is unsigned, altered, old or signed by another is refused and not kept', async ({
  stack,
}) => {
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { object: 'invoice' } },
  };
  const now = Math.floor(Date.now() / 1_000);
  const unsigned = fetch(stack.url + paths.stripeWebhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  for (const reply of [
    unsigned,
    deliver(stack, event, { payload: JSON.stringify({ ...event, type: 'invoice.voided' }) }),
    deliver(stack, event, { timestamp: now - 301 }),
    deliver(stack, event, { secret: 'whsec_of_somebody_else' }),
  ]) {
    expectError(await answerOf(reply), 'BAD_SIGNATURE');
  }
  expect(await stack.models.stripeEvents.findById(event.id)).toBeNull();
  expect((await deliver(stack, event, { timestamp: now - 290 })).status).toBe(200);
  expect(await stack.models.stripeEvents.findById(event.id)).toMatchObject({ customer: null });
});

test('the same event 20 times at once: one row, one grant', async ({ stack }) => {
  await stack.stripe.set({ webhooks: { hold: true } });
  const seller = await stack.seller({ paid: false });
  await stack.stripe.completeCheckout(sessionOf((await askFor(seller, 'freelance')).body));
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const paid = (await eventsAbout(stripe, customer!)).find(({ type }) => type === 'invoice.paid')!;
  const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(stack, paid)));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await stack.models.stripeEvents.countDocuments({ _id: paid.id })).toBe(1);
  expect(await profileOf(stack, seller)).toMatchObject({ generations_left: 100, granted: 100, forfeited: 0 });
  await expectClean(stack);
});

test('an event while Stripe is away is kept and answered 503; upkeep sees to it when Stripe is back', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const { stripe } = stack.server.context.billing;
  await stack.stripe.set({ webhooks: { hold: true } });
  const before = await profileOf(stack, seller);
  await stack.stripe.cancelAtPeriodEnd(before.subscription_id!);
  const event = (await eventsAbout(stripe, before.stripe_customer_id!)).at(-1)!;
  await stack.stripe.set({ faults: Array(9).fill({ when: 'before', status: 500 }) });
  expectError(await answerOf(deliver(stack, event)), 'UNAVAILABLE');
  await stack.stripe.set({ faults: [] });
  expect((await profileOf(stack, seller)).subscription_data).toMatchObject({ cancel_at_period_end: false });
  // After a failure it waits, longer each time.
  expect(await stack.models.stripeEvents.findById(event.id)).toMatchObject({ tries: 1 });
  expect(await reconcileBilling(workerContext(stack), atOnce)).toMatchObject({ eventsHandled: 0 });
  await stack.models.stripeEvents.updateOne({ _id: event.id }, { $set: { due_at: new Date() } });
  expect(await reconcileBilling(workerContext(stack), atOnce)).toMatchObject({ eventsHandled: 1 });
  expect((await profileOf(stack, seller)).subscription_data).toMatchObject({ cancel_at_period_end: true });
});

test('a renewal of which no event ever comes is found by upkeep', async ({ stack }) => {
  const seller = await subscriber(stack, 'freelance');
  await stack.stripe.set({ webhooks: { hold: true } });
  await stack.stripe.advance({ months: 1 });
  expect((await profileOf(stack, seller)).granted).toBe(100);
  // Our own clock has not moved: for it the period ends in a month.
  await stack.models.profiles.updateOne(
    { _id: seller.id },
    { $set: { 'subscription_data.current_period_end': new Date(Date.now() - 1) } },
  );
  await reconcileBilling(workerContext(stack), atOnce);
  expect(await profileOf(stack, seller)).toMatchObject({
    granted: 200,
    forfeited: 100,
    generations_left: 100,
  });
});

/** What a seller does, or what happens to one. */
type Step =
  | { kind: 'ask'; plan: PlanId }
  | { kind: 'card'; works: boolean }
  | { kind: 'cancel' }
  | { kind: 'refund' }
  | { kind: 'dispute' }
  | { kind: 'decide'; outcome: 'won' | 'lost' }
  | { kind: 'month' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      plan: fc.constantFrom('freelance' as const, 'enterprise' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('card' as const), works: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('month' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dispute' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
);

/** How the events that came with a step are delivered after it: which of them by now, how often, in which order. */
const delivery = fc.record({
  picks: fc.array(fc.nat(200), { maxLength: 6 }),
  fault: fc.option(fc.record({ kind: fc.constantFrom(...faultKinds), at: fc.nat(5) }), { nil: undefined }),
});

/** One who hears of everything at once, in order; one by the deliveries of the sequence; one who hears of it at the end only. */
const hearers = 3;

async function take(stack: TestStack, seller: Seller, next: Exclude<Step, { kind: 'month' }>): Promise<void> {
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  if (next.kind === 'ask') {
    const { status, body } = await askFor(seller, next.plan);
    if (status === 200 && 'url' in body) await stack.stripe.completeCheckout(sessionOf(body));
    return;
  }
  if (next.kind === 'refund' || next.kind === 'dispute' || next.kind === 'decide') {
    return customer ? moveMoney(stack, customer, next) : undefined;
  }
  const [subscription] = customer ? (await stripe.subscriptions.list({ customer })).data : [];
  if (!customer || !subscription) return;
  if (next.kind === 'cancel') {
    if (await isFree(stack, subscription)) await stack.stripe.cancelAtPeriodEnd(subscription.id);
  } else await stack.stripe.setCard(customer, next.works ? '4242424242424242' : '4000000000000341');
}

/** Refunds or disputes the newest payment, or decides its dispute. */
async function moveMoney(
  stack: TestStack,
  customer: string,
  step: Extract<Step, { kind: 'refund' | 'dispute' | 'decide' }>,
): Promise<void> {
  const { stripe } = stack.server.context.billing;
  const charge = (await stripe.charges.list({ customer })).data.find(({ paid }) => paid);
  if (!charge) return;
  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data;
  if (step.kind === 'refund' && !charge.refunded) await stripe.refunds.create({ charge: charge.id });
  if (step.kind === 'dispute' && !dispute) await stack.stripe.dispute(charge.id);
  if (step.kind === 'decide' && dispute?.status === 'needs_response') {
    await stack.stripe.closeDispute(dispute.id, step.outcome);
  }
}

/** Stripe cancels none that has a change of plan before it; a change that has happened stands in nobody's way. */
async function isFree(stack: TestStack, { schedule: id, items }: Stripe.Subscription): Promise<boolean> {
  if (id === null) return true;
  const { stripe } = stack.server.context.billing;
  const schedule = await stripe.subscriptionSchedules.retrieve(idOf(id));
  const { current_period_end: end } = items.data[0]!;
  if (schedule.phases.some((phase) => phase.start_date >= end)) return false;
  await stripe.subscriptionSchedules.release(schedule.id);
  return true;
}

/**
 * What has to be the same for all: everything but names, times of booking and counters. Images of a month that is over
 * count as taken back for who heard of the refund in that month, and as forfeited for who did not.
 */
async function outcomeOf(stack: TestStack, seller: Seller) {
  const profile = await profileOf(stack, seller);
  const { subscription_data: details } = profile;
  const day = (date: Date | undefined | null) => date?.toISOString().slice(0, 10);
  return {
    plan: profile.subscription_plan,
    status: profile.subscription_status,
    left: profile.generations_left,
    granted: profile.granted,
    gone: profile.forfeited + profile.refunded,
    refunded: profile.period_refunded,
    grants: profile.grants.map(({ count, period }) => [count, period?.plan, day(period?.start)]),
    until: day(details?.current_period_end),
    ends: details?.cancel_at_period_end,
    next: details?.next_plan?.plan,
    grace: day(profile.grace_until),
  };
}

test('events in any order, doubled, at once, late, with crashes between any two steps: one end for all', {
  timeout: 180_000,
}, async ({ stack, crashableDb }) => {
  const { stripe } = stack.server.context.billing;
  const sequence = fc.array(fc.tuple(step, delivery), { minLength: 4, maxLength: 10 });
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      await stack.stripe.set({ webhooks: { hold: true } });
      // Months that pass here pass for the sellers of earlier sequences too, who must not receive those events.
      await Promise.all(
        ['profiles', 'users', 'credit_entries', 'stripe_events'].map((name) =>
          connectionOf(stack.db).collection(name).deleteMany({}),
        ),
      );
      const sellers = await Promise.all(Array.from({ length: hearers }, () => stack.seller({ paid: false })));
      const known: string[][] = sellers.map(() => []);
      const hear = async (place: number) => {
        const { stripe_customer_id: customer } = await profileOf(stack, sellers[place]!);
        const wanted = new Set<string>(eventTypes);
        const events = customer ? await eventsAbout(stripe, customer) : [];
        return events.filter(({ type }) => wanted.has(type));
      };
      for (const [next, { picks, fault }] of steps) {
        if (next.kind === 'month') await stack.stripe.advance({ months: 1 });
        else for (const seller of sellers) await take(stack, seller, next);
        for (const event of await hear(0)) {
          if (known[0]!.includes(event.id)) continue;
          known[0]!.push(event.id);
          expect((await deliver(stack, event)).status).toBe(200);
        }
        // Any event that there has been, heard before or not, several at the same moment, on a server that may die.
        const all = await hear(1);
        const context = { ...stack.server.context, db: crashableDb };
        await Promise.all(
          picks.map(async (pick) => {
            const event = all[pick % Math.max(1, all.length)];
            if (!event) return;
            try {
              await withFault(fault, async () => {
                await recordEvent(crashableDb, eventSchema.parse(event));
                await handleEvent(context, event.id);
              });
            } catch (error) {
              if (!(error instanceof FaultError)) throw error;
            }
          }),
        );
      }
      // Stripe sends until it is told that an event has come.
      const rest = [...(await hear(1)), ...(await hear(2)).toReversed()];
      await Promise.all(rest.map((event) => deliver(stack, event)));
      await stack.models.stripeEvents.updateMany(
        { handled_at: null },
        { $set: { lease_until: null, due_at: null } },
      );
      await reconcileBilling(workerContext(stack), atOnce);
      await reconcile(workerContext(stack), atOnce);

      const [first, ...others] = await Promise.all(sellers.map((seller) => outcomeOf(stack, seller)));
      for (const other of others) expect(other).toEqual(first);
      paid += first!.grants.length;
      await expectClean(stack);
    }),
    { seed, numRuns: 8, endOnFailure: true },
  );
  expect(paid, 'hardly anybody ever paid, so the test says little').toBeGreaterThan(4);
});
