import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanId, planIds, plans } from '#contract';
import { availableImages, mayGenerate } from '#shared/credits/holds.ts';
import type { Hold, PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import { computeBillingChange } from './billing-change.ts';
import type { BillingState, PaidInvoice, SubscriptionState } from './billing-state.ts';

const seed = randomInt(2 ** 31);
console.log(`billing-change.test.ts: seed ${seed}`);

const dayMs = 86_400_000;
const graceMs = 3 * dayMs;
const epoch = new Date('2026-01-31T12:00:00Z');

function newcomer(holds: Hold[] = [], left = 0): ProfileRow {
  return {
    _id: 'seller',
    email: 'ann@shop.example',
    full_name: 'Ann',
    subscription_plan: 'freelance',
    subscription_status: 'inactive',
    credits: 100,
    generations_left: left,
    total_generations: 100,
    granted: left,
    settled: 0,
    settled_unlimited: 0,
    forfeited: 0,
    refunded: 0,
    holds,
    grants: [],
    forfeits: [],
    refunds: [],
    reinstates: [],
    fair_use: { period_start: null, used: 0 },
    stripe_customer_id: 'cus_1',
    former_customers: [],
    subscription_id: null,
    subscription_data: null,
    grace_until: null,
    period_refunded: false,
    billing_asked: 0,
    billing_applied: 0,
    pending_emails: [],
    billing_lease_until: null,
    billing_seen_at: null,
    billing_retry: null,
    revision: 0,
    last_login: null,
    login_count: 0,
    account_locked: false,
    security_level: 'standard',
    two_factor_enabled: false,
    email_verified: true,
    deletion_asked_at: null,
    created_at: epoch,
    updated_at: epoch,
  };
}

/** The profile after reading this, as the store would have it. */
function read(profile: ProfileRow, state: BillingState): ProfileRow {
  const change = computeBillingChange(profile, state, graceMs, epoch);
  if (!change) return profile;
  return {
    ...profile,
    ...change.set,
    grants: [...profile.grants, ...change.grants],
    forfeits: [...profile.forfeits, ...change.forfeits],
    refunds: [...profile.refunds, ...change.refunds],
    reinstates: [...profile.reinstates, ...change.reinstates],
  };
}

/** What happens to a subscription at Stripe, one after the other. */
type Step =
  | { kind: 'subscribe'; plan: PlanId }
  | { kind: 'renew'; paid: boolean }
  | { kind: 'pay late' }
  | { kind: 'change'; plan: PlanId }
  | { kind: 'schedule'; plan: PlanId }
  | { kind: 'cancel' }
  | { kind: 'end' }
  | { kind: 'money goes back'; pick: number }
  | { kind: 'money comes back'; pick: number };

const plan = fc.constantFrom(...planIds);
/** Mostly the newest payment: what was left of older ones is gone. */
const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), plan }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('renew' as const), paid: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay late' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), plan }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('schedule' as const), plan }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('money goes back' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('money comes back' as const), pick }) },
);

/** Everything that Stripe says, after each step. */
function statesOf(steps: readonly Step[]): BillingState[] {
  const states: BillingState[] = [];
  let subscription = null as SubscriptionState | null;
  let paid: PaidInvoice[] = [];
  let count = 0;
  let clock = epoch.getTime();
  const pay = ({ plan: of, periodStart: start, periodEnd: end }: SubscriptionState) => {
    count += 1;
    clock += 1_000;
    const period = { plan: of, start, end };
    paid = [...paid, { id: `in_${count}`, paidAt: new Date(clock), period, refunded: false }];
  };
  for (const next of steps) {
    clock += dayMs;
    const alive: SubscriptionState | null = subscription?.status === 'canceled' ? null : subscription;
    if (next.kind === 'money goes back' || next.kind === 'money comes back') {
      // The newest, or one of those before it; its subscription may have ended.
      const about = paid.at(-1 - next.pick);
      if (!about) continue;
      const refunded = next.kind === 'money goes back';
      paid = paid.map((each) => (each === about ? { ...each, refunded } : each));
    } else if (next.kind === 'subscribe') {
      if (alive) continue;
      count += 1;
      subscription = {
        id: `sub_${count}`,
        itemId: `si_${count}`,
        status: 'active',
        plan: next.plan,
        periodStart: new Date(clock),
        periodEnd: new Date(clock + 30 * dayMs),
        cancelAtPeriodEnd: false,
        trialEnd: null,
        payment: { method: 'card', brand: 'visa', last4: '4242' },
        nextPlan: null,
        scheduleId: null,
        refunded: false,
      };
      pay(subscription);
    } else if (!alive) continue;
    else if (next.kind === 'renew') {
      const { periodEnd, cancelAtPeriodEnd } = alive;
      clock = periodEnd.getTime();
      if (cancelAtPeriodEnd) subscription = { ...alive, status: 'canceled' };
      else {
        subscription = {
          ...alive,
          plan: alive.nextPlan?.plan ?? alive.plan,
          nextPlan: null,
          status: next.paid ? 'active' : 'past_due',
          periodStart: periodEnd,
          periodEnd: new Date(periodEnd.getTime() + 30 * dayMs),
        };
        if (next.paid) pay(subscription);
      }
    } else if (next.kind === 'pay late') {
      if (alive.status !== 'past_due') continue;
      subscription = { ...alive, status: 'active' };
      pay(subscription);
    } else if (next.kind === 'change') subscription = { ...alive, plan: next.plan };
    else if (next.kind === 'schedule') {
      subscription = { ...alive, nextPlan: { plan: next.plan, at: alive.periodEnd } };
    } else if (next.kind === 'cancel') {
      subscription = { ...alive, cancelAtPeriodEnd: !alive.cancelAtPeriodEnd };
    } else subscription = { ...alive, status: 'canceled' };
    const current = paid.findLast(({ period }) => period.end.getTime() === subscription?.periodEnd.getTime());
    const refunded = current?.refunded ?? false;
    states.push({ customer: 'there', subscription: subscription && { ...subscription, refunded }, paid });
  }
  return states;
}

const sum = (bookings: readonly PendingLedgerEntry[]) =>
  bookings.reduce((total, { count }) => total + count, 0);

/**
 * What has to be the same whatever was read on the way. Images of a month that is over count as taken back for who
 * read of the refund in that month, and as forfeited for who did not.
 */
function outcomeOf({ forfeits, refunds, reinstates, forfeited, refunded, ...rest }: ProfileRow) {
  return { ...rest, gone: forfeited + refunded };
}

const held = (generation: string, metered: boolean): Hold => {
  return { generation, count: 1, metered, lapsed: false, at: epoch };
};

describe('computeBillingChange', () => {
  test('whatever was read before the last reading, and however often, the end is the same', () => {
    let renewals = 0;
    let takenBack = 0;
    let givenBack = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        fc.boolean(),
        (steps, seen, holding) => {
          const states = statesOf(steps);
          const last = states.at(-1);
          if (!last) return;
          const begin = newcomer(holding ? [held('a', true), held('b', false)] : [], holding ? 3 : 0);
          const everything = states.reduce(read, begin);
          const some = [...states.filter((_, index) => seen[index]), last, last].reduce(read, begin);
          const onlyLast = read(begin, last);
          expect(outcomeOf(some)).toEqual(outcomeOf(everything));
          expect(outcomeOf(onlyLast)).toEqual(outcomeOf(everything));
          renewals += last.paid.length;
          takenBack += everything.refunds.length;
          givenBack += everything.reinstates.length;

          // What was paid is what was granted, once each, and nothing is unexplained.
          const images = last.paid.map(({ period }) => plans[period.plan].monthlyGenerations ?? 0);
          expect(everything.grants.map(({ key }) => key)).toEqual(last.paid.map(({ id }) => `invoice:${id}`));
          expect(everything.granted - begin.granted).toBe(images.reduce((sum, count) => sum + count, 0));
          for (const profile of [everything, some, onlyLast]) {
            const { granted, generations_left: left, forfeited, refunded } = profile;
            expect(granted).toBe(left + forfeited + refunded);
            expect(sum(profile.forfeits)).toBe(forfeited);
            expect(sum(profile.refunds) - sum(profile.reinstates)).toBe(refunded);
            for (const list of [profile.refunds, profile.reinstates]) {
              expect(new Set(list.map(({ key }) => key)).size).toBe(list.length);
            }
          }
          const newest = last.paid.findLast(({ period }) => plans[period.plan].monthlyGenerations !== null);
          if (newest) expect(availableImages(everything)).toBe(newest.refunded ? 0 : 100);
          expect(computeBillingChange(everything, last, graceMs, epoch)).toBeNull();
        },
      ),
      { seed, numRuns: 2_000 },
    );
    expect(renewals, 'nobody ever paid, so the test says little').toBeGreaterThan(1_000);
    expect(takenBack, 'hardly anything was refunded, so the test says little').toBeGreaterThan(80);
    expect(givenBack, 'hardly any money came back, so the test says little').toBeGreaterThan(8);
  });

  test('a renewal forfeits what was left, but not what is being made', () => {
    const [first, second] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'renew', paid: true },
    ]);
    const used = {
      ...read(newcomer(), first!),
      holds: [held('a', true)],
      generations_left: 40,
      settled: 60,
    };
    const renewed = read(used, second!);
    expect(renewed).toMatchObject({ generations_left: 101, granted: 200, forfeited: 39, settled: 60 });
    expect(renewed.holds).toMatchObject([{ generation: 'a', lapsed: true }]);
    expect(renewed.forfeits).toMatchObject([{ key: 'invoice:in_3', count: 39, posted: false }]);
  });

  test('a refund takes back what is there and not being made; what comes free later too; each once', () => {
    const [paid, refunded] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'money goes back', pick: 0 },
    ]);
    const used = {
      ...read(newcomer(), paid!),
      holds: [held('a', true)],
      generations_left: 40,
      settled: 60,
    };
    const taken = read(used, refunded!);
    expect(taken).toMatchObject({ generations_left: 1, refunded: 39, period_refunded: true });
    expect(taken.refunds).toMatchObject([{ key: 'invoice:in_2:1', count: 39, posted: false }]);
    expect(computeBillingChange(taken, refunded!, graceMs, epoch)).toBeNull();
    // The image failed, so it came free.
    const later = read({ ...taken, holds: [] }, refunded!);
    expect(later).toMatchObject({ generations_left: 0, refunded: 40, forfeited: 0 });
    expect(later.refunds).toMatchObject([{ count: 39 }, { key: 'invoice:in_2:2', count: 1 }]);
  });

  test('money that comes back brings what was taken, unless the next month has begun', () => {
    const [paid, disputed, won, again] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'money goes back', pick: 0 },
      { kind: 'money comes back', pick: 0 },
      { kind: 'money goes back', pick: 0 },
    ]);
    const used = { ...read(newcomer(), paid!), generations_left: 40, settled: 60 };
    const back = [disputed!, won!].reduce(read, used);
    expect(back).toMatchObject({ generations_left: 40, refunded: 0, period_refunded: false });
    expect(back.reinstates).toMatchObject([{ key: 'invoice:in_2:1', count: 40 }]);
    expect(read(back, again!).refunds.map(({ key }) => key)).toEqual(['invoice:in_2:1', 'invoice:in_2:2']);

    const [, second, ...rest] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'money goes back', pick: 0 },
      { kind: 'renew', paid: true },
      { kind: 'money comes back', pick: 1 },
    ]);
    const next = [second!, ...rest].reduce(read, used);
    expect(next).toMatchObject({
      generations_left: 100,
      refunded: 40,
      granted: 200,
      settled: 60,
      forfeited: 0,
    });
  });

  test('an unlimited plan whose money went back makes nothing until the next payment', () => {
    const [paid, refunded, renewed] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'money goes back', pick: 0 },
      { kind: 'renew', paid: true },
    ]);
    const allowed = [paid!, refunded!, renewed!].map((state) => mayGenerate(read(newcomer(), state), epoch));
    expect(allowed).toEqual([true, false, true]);
  });

  test('a plan that is overdue or has ended says so in a mail, once for each reading that brings it', () => {
    const [active, overdue, late, over] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'renew', paid: false },
      { kind: 'pay late' },
      { kind: 'end' },
    ]);
    const told = (profile: ProfileRow, state: BillingState) =>
      computeBillingChange(profile, state, graceMs, epoch)?.pendingEmails ?? [];
    const begun = read(newcomer(), active!);
    expect(told(begun, overdue!)).toMatchObject([{ kind: 'paymentFailed', plan: 'enterprise' }]);
    expect(told(read(begun, overdue!), overdue!)).toEqual([]);
    expect(told(read(begun, overdue!), late!)).toEqual([]);
    expect(told(begun, over!)).toMatchObject([{ kind: 'subscriptionEnded', id: 'ended-sub_1' }]);
    // Somebody who never knew of the plan either.
    expect(told(newcomer(), over!)).toMatchObject([{ id: 'ended-sub_1' }]);
    expect(told({ ...begun, deletion_asked_at: epoch }, over!)).toEqual([]);
  });

  test('an overdue plan works for the grace period from the day that was not paid', () => {
    const [, overdue] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'renew', paid: false },
    ]);
    const profile = read(newcomer(), overdue!);
    const { periodStart } = overdue!.subscription!;
    expect(profile).toMatchObject({
      subscription_status: 'past_due',
      grace_until: new Date(periodStart.getTime() + graceMs),
    });
  });

  test('an upgrade brings no images and takes none; the unlimited month begins uncounted', () => {
    const [first, upgraded] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'change', plan: 'enterprise' },
    ]);
    const before = read(newcomer(), first!);
    const profile = read(before, upgraded!);
    expect(profile).toMatchObject({ subscription_plan: 'enterprise', generations_left: 100, granted: 100 });
    expect(profile.fair_use).toEqual({ period_start: upgraded!.subscription!.periodStart, used: 0 });
  });

  test('a plan that ended is nobody’s, and says which one it was', () => {
    const states = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'cancel' },
      { kind: 'renew', paid: true },
    ]);
    expect(read(newcomer(), states.at(-1)!)).toMatchObject({
      subscription_plan: 'enterprise',
      subscription_status: 'canceled',
      subscription_id: null,
      subscription_data: null,
    });
  });
});
