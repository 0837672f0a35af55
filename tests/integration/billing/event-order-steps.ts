/** Shared by the tests of the order of Stripe's events: one sequence of steps for three sellers, with one outcome. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { eventSchema, eventTypes, handleEvent, recordEvent } from '#shared/billing/events.ts';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { type Fault, faultKinds, meetsFault } from '#tests/support/faults.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { deliver, eventsAbout, expectClean, profileOf } from '#tests/support/subscriber.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runBillingUpkeep } from '#worker/upkeep/billing.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import { performStep, type Step, step } from './steps.ts';

export const test = testWithCrashableDb({ workers: 0 });
test.afterEach(({ stack }) => stack.stripe.reset());

/** Deliveries of events after a step: indexes into the existing events, in order, and a fault of the server. */
interface Delivery {
  picks: number[];
  fault: Fault | undefined;
}

const delivery: fc.Arbitrary<Delivery> = fc.record({
  picks: fc.array(fc.nat(200), { maxLength: 6 }),
  fault: fc.option(fc.record({ kind: fc.constantFrom(...faultKinds), at: fc.nat(5) }), { nil: undefined }),
});

export const sequence = fc.array(fc.tuple(step, delivery), { minLength: 4, maxLength: 10 });

/** A sequence in which every seller pays, because random ones may do without. */
export const paidEachMonth: [Step, Delivery][] = [
  [
    { kind: 'request', plan: 'freelance' },
    { picks: [3, 0, 1], fault: undefined },
  ],
  [{ kind: 'month' }, { picks: [5, 2], fault: { kind: 'dies-after', at: 1 } }],
  [{ kind: 'month' }, { picks: [], fault: undefined }],
  [{ kind: 'month' }, { picks: [9, 7], fault: undefined }],
  [{ kind: 'month' }, { picks: [8], fault: { kind: 'answer-lost', at: 2 } }],
  [{ kind: 'refund' }, { picks: [], fault: undefined }],
  [{ kind: 'cancel' }, { picks: [4, 6, 1], fault: undefined }],
];

/**
 * The same happens to three sellers. The server receives every event about the first one at once and in order, events
 * about the second one by random deliveries, and events about the third one only at the end.
 */
const sellerCount = 3;

/** @returns the events about a seller of the types that the webhook is registered for, oldest first */
async function eventsOf(stack: TestStack, seller: Seller) {
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const registered = new Set<string>(eventTypes);
  const events = customer ? await eventsAbout(stack.server.context.billing.stripe, customer) : [];
  return events.filter(({ type }) => registered.has(type));
}

/**
 * What must be the same for all sellers: everything but names, times of ledger entries and counters. If the server learns
 * of a refund in the month that was refunded, the images left are taken back; if later, they were forfeited.
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
    removed: profile.forfeited + profile.refunded,
    refunded: profile.period_refunded,
    grants: profile.grants.map(({ count, period }) => [count, period?.plan, day(period?.start)]),
    until: day(details?.current_period_end),
    ends: details?.cancel_at_period_end,
    next: details?.next_plan?.plan,
    grace: day(profile.grace_until),
  };
}

/** Removes the accounts of the previous run: Stripe's clock advances for them too, but their events are not delivered. */
async function removeAccounts(stack: TestStack): Promise<void> {
  await Promise.all(
    ['profiles', 'users', 'credit_entries', 'stripe_events'].map((name) =>
      connectionOf(stack.db).collection(name).deleteMany({}),
    ),
  );
}

/**
 * Performs the steps for three sellers whose events arrive in different ways, and expects the same outcome for all.
 * @param crashableDb what random deliveries use
 * @returns how many months each of them paid
 */
export async function expectOneOutcome(
  stack: TestStack,
  crashableDb: Db,
  steps: [Step, Delivery][],
): Promise<number> {
  const context = { ...stack.server.context, db: crashableDb };
  await stack.stripe.set({ webhooks: { hold: true } });
  await removeAccounts(stack);
  const sellers = await Promise.all(Array.from({ length: sellerCount }, () => stack.seller({ paid: false })));
  const [inOrder, atRandom, atEnd] = sellers as [Seller, Seller, Seller];
  const delivered = new Set<string>();
  for (const [next, { picks, fault }] of steps) {
    if (next.kind === 'month') await stack.stripe.advance({ months: 1 });
    else for (const seller of sellers) await performStep(stack, seller, next);
    for (const event of await eventsOf(stack, inOrder)) {
      if (delivered.has(event.id)) continue;
      delivered.add(event.id);
      expect((await deliver(stack, event)).status).toBe(200);
    }
    // Any event that exists, delivered before or not, several at once, to a server that may crash.
    const events = await eventsOf(stack, atRandom);
    await Promise.all(
      picks.map(async (pick) => {
        const event = events[pick % Math.max(1, events.length)];
        if (!event) return;
        await meetsFault(fault, async () => {
          await recordEvent(crashableDb, eventSchema.parse(event));
          await handleEvent(context, event.id);
        });
      }),
    );
  }
  // Stripe repeats each event until it is accepted.
  const rest = [...(await eventsOf(stack, atRandom)), ...(await eventsOf(stack, atEnd)).toReversed()];
  await Promise.all(rest.map((event) => deliver(stack, event)));
  await stack.models.stripeEvents.updateMany(
    { handled_at: null },
    { $set: { lease_until: null, due_at: null } },
  );
  await runBillingUpkeep(workerContext(stack), atOnce);
  await runUpkeep(workerContext(stack), atOnce);

  const [first, ...others] = await Promise.all(sellers.map((seller) => outcomeOf(stack, seller)));
  for (const other of others) expect(other).toEqual(first);
  await expectClean(stack);
  return first!.grants.length;
}
