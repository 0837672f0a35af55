import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanId, planIds, plans } from '#contract';
import { availableImages, mayGenerate } from '#shared/credits/holds.ts';
import type { Hold, HoldBalance, PendingLedgerEntry, ProfileRow } from '#shared/data/profiles/schema.ts';
import { sampleProfile } from '#tests/support/sample-rows.ts';
import { computeBillingChange } from './billing-change.ts';
import type { BillingState, PaidInvoice, SubscriptionState } from './billing-state.ts';

const seed = randomInt(2 ** 31);
console.log(`billing-change.test.ts: seed ${seed}`);

const dayMs = 86_400_000;
const graceMs = 3 * dayMs;
const epoch = new Date('2026-01-31T12:00:00Z');

const newProfile = (holds: Hold[] = [], left = 0) =>
  sampleProfile({ holds, generations_left: left, granted: left });

/** The profile after a reading, as it is stored. */
function apply(profile: ProfileRow, state: BillingState): ProfileRow {
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

/** Something that happens to a subscription at Stripe. */
type Step =
  | { kind: 'subscribe'; plan: PlanId }
  | { kind: 'renew'; paid: boolean }
  | { kind: 'pay late' }
  | { kind: 'change'; plan: PlanId }
  | { kind: 'schedule'; plan: PlanId }
  | { kind: 'cancel' }
  | { kind: 'end' }
  | { kind: 'refund'; pick: number }
  | { kind: 'return'; pick: number };

const plan = fc.constantFrom(...planIds);
/** Which payment, counted from the newest; mostly the newest, as images of older ones were forfeited. */
const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), plan }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('renew' as const), paid: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay late' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), plan }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('schedule' as const), plan }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refund' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('return' as const), pick }) },
);

/** The billing state after each step. */
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
    if (next.kind === 'refund' || next.kind === 'return') {
      // Its subscription may have ended.
      const about = paid.at(-1 - next.pick);
      if (!about) continue;
      const refunded = next.kind === 'refund';
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
        planSince: new Date(clock),
        cancelAtPeriodEnd: false,
        isWithdrawalDue: false,
        pinnedPrice: null,
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
          planSince: periodEnd,
        };
        if (next.paid) pay(subscription);
      }
    } else if (next.kind === 'pay late') {
      if (alive.status !== 'past_due') continue;
      subscription = { ...alive, status: 'active' };
      pay(subscription);
    } else if (next.kind === 'change')
      subscription = { ...alive, plan: next.plan, planSince: new Date(clock) };
    else if (next.kind === 'schedule') {
      subscription = { ...alive, nextPlan: { plan: next.plan, at: alive.periodEnd } };
    } else if (next.kind === 'cancel') {
      subscription = { ...alive, cancelAtPeriodEnd: !alive.cancelAtPeriodEnd };
    } else subscription = { ...alive, status: 'canceled' };
    const current = paid.findLast(({ period }) => period.end.getTime() === subscription?.periodEnd.getTime());
    const refunded = current?.refunded ?? false;
    states.push({
      customer: 'there',
      subscription: subscription && { ...subscription, refunded },
      paid,
      packs: [],
    });
  }
  return states;
}

const sum = (entries: readonly PendingLedgerEntry[]) =>
  entries.reduce((total, { count }) => total + count, 0);

/**
 * What must be the same whichever states were applied before. If a refund is read in the month that was refunded, the
 * images left are taken back; if later, they were forfeited.
 */
function outcomeOf({ forfeits, refunds, reinstates, forfeited, refunded, ...rest }: ProfileRow) {
  return { ...rest, grants: rest.grants.filter(isPaid), gone: forfeited + refunded };
}

const isPaid = ({ key }: PendingLedgerEntry) => key.startsWith('invoice:');

const held = (generation: string, balance: HoldBalance): Hold => {
  return { generation, count: 1, balance, lapsed: false, at: epoch };
};

/** The profile after three free images were granted and one of them is on hold. */
function withFreeImages(profile: ProfileRow): ProfileRow {
  const grant = { key: 'free:seller', count: 3, period: null, at: epoch, posted: true };
  return {
    ...profile,
    granted: profile.granted + 3,
    free_images: { due: false, granted: 3, left: 3 },
    holds: [...profile.holds, held('free', 'free')],
    grants: [...profile.grants, grant],
  };
}

describe('computeBillingChange', () => {
  test('the outcome depends on the last state alone, whichever states were applied before and how often', () => {
    let renewals = 0;
    let takenBack = 0;
    let givenBack = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        fc.boolean(),
        fc.constantFrom('none', 'first', 'late'),
        (steps, seen, holding, free) => {
          const states = statesOf(steps);
          const last = states.at(-1);
          if (!last) return;
          const holds = holding ? [held('a', 'metered'), held('b', 'unlimited')] : [];
          const begin = newProfile(holds, holding ? 3 : 0);
          // Free images may be granted after plans were paid, if the network had too many before.
          const reduced = (before: BillingState[]) => {
            const first = free === 'first' ? withFreeImages(begin) : begin;
            const middle = before.reduce(apply, first);
            return [last, last].reduce(apply, free === 'late' ? withFreeImages(middle) : middle);
          };
          const everything = reduced(states.slice(0, -1));
          const some = reduced(states.slice(0, -1).filter((_, index) => seen[index]));
          const onlyLast = reduced([]);
          expect(outcomeOf(some)).toEqual(outcomeOf(everything));
          expect(outcomeOf(onlyLast)).toEqual(outcomeOf(everything));
          renewals += last.paid.length;
          takenBack += everything.refunds.length;
          givenBack += everything.reinstates.length;

          // Each paid invoice was granted once, and the ledger entries add up to the balance.
          const images = last.paid.map(({ period }) => plans[period.plan].monthlyGenerations ?? 0);
          const granted = everything.grants.filter(isPaid);
          expect(granted.map(({ key }) => key)).toEqual(last.paid.map(({ id }) => `invoice:${id}`));
          const added = images.reduce((sum, count) => sum + count, free === 'none' ? 0 : 3);
          expect(everything.granted - begin.granted).toBe(added);
          for (const profile of [everything, some, onlyLast]) {
            const { granted, generations_left: left, forfeited, refunded, free_images: freeImages } = profile;
            expect(granted).toBe(left + freeImages.left + forfeited + refunded);
            // Free images have no period: nothing that Stripe says changes them.
            if (free !== 'none') {
              expect(freeImages).toEqual({ due: false, granted: 3, left: 3 });
              expect(profile.holds.at(-1)).toEqual(held('free', 'free'));
            }
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
    expect(renewals, 'hardly any seller paid, so the test shows little').toBeGreaterThan(1_000);
    expect(takenBack, 'hardly any payment was refunded, so the test shows little').toBeGreaterThan(80);
    expect(givenBack, 'hardly any payment was returned, so the test shows little').toBeGreaterThan(8);
  });

  test('a renewal forfeits the images left, but not those on hold', () => {
    const [first, second] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'renew', paid: true },
    ]);
    const used = {
      ...apply(newProfile(), first!),
      holds: [held('a', 'metered')],
      generations_left: 40,
      settled: 60,
    };
    const renewed = apply(used, second!);
    expect(renewed).toMatchObject({ generations_left: 101, granted: 200, forfeited: 39, settled: 60 });
    expect(renewed.holds).toMatchObject([{ generation: 'a', lapsed: true }]);
    expect(renewed.forfeits).toMatchObject([{ key: 'invoice:in_3', count: 39, posted: false }]);
  });

  test('a refund takes back the images left, but not those on hold; those that are released later too; each once', () => {
    const [paid, refunded] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'refund', pick: 0 },
    ]);
    const used = {
      ...apply(newProfile(), paid!),
      holds: [held('a', 'metered')],
      generations_left: 40,
      settled: 60,
    };
    const taken = apply(used, refunded!);
    expect(taken).toMatchObject({ generations_left: 1, refunded: 39, period_refunded: true });
    expect(taken.refunds).toMatchObject([{ key: 'invoice:in_2:1', count: 39, posted: false }]);
    expect(computeBillingChange(taken, refunded!, graceMs, epoch)).toBeNull();
    // The generation failed, so its image was released.
    const later = apply({ ...taken, holds: [] }, refunded!);
    expect(later).toMatchObject({ generations_left: 0, refunded: 40, forfeited: 0 });
    expect(later.refunds).toMatchObject([{ count: 39 }, { key: 'invoice:in_2:2', count: 1 }]);
  });

  test('a payment that returns reinstates the images, unless the next month has begun', () => {
    const [paid, disputed, won, again] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'refund', pick: 0 },
      { kind: 'return', pick: 0 },
      { kind: 'refund', pick: 0 },
    ]);
    const used = { ...apply(newProfile(), paid!), generations_left: 40, settled: 60 };
    const back = [disputed!, won!].reduce(apply, used);
    expect(back).toMatchObject({ generations_left: 40, refunded: 0, period_refunded: false });
    expect(back.reinstates).toMatchObject([{ key: 'invoice:in_2:1', count: 40 }]);
    expect(apply(back, again!).refunds.map(({ key }) => key)).toEqual(['invoice:in_2:1', 'invoice:in_2:2']);

    const [, second, ...rest] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'refund', pick: 0 },
      { kind: 'renew', paid: true },
      { kind: 'return', pick: 1 },
    ]);
    const next = [second!, ...rest].reduce(apply, used);
    expect(next).toMatchObject({
      generations_left: 100,
      refunded: 40,
      granted: 200,
      settled: 60,
      forfeited: 0,
    });
  });

  test('an unlimited plan whose payment was refunded does not allow generating until the next payment', () => {
    const [paid, refunded, renewed] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'refund', pick: 0 },
      { kind: 'renew', paid: true },
    ]);
    const allowed = [paid!, refunded!, renewed!].map((state) =>
      mayGenerate(apply(newProfile(), state), epoch),
    );
    expect(allowed).toEqual([true, false, true]);
  });

  test('a plan that becomes overdue or ends leads to one pending email', () => {
    const [active, overdue, late, over] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'renew', paid: false },
      { kind: 'pay late' },
      { kind: 'end' },
    ]);
    const emailsOf = (profile: ProfileRow, state: BillingState) =>
      computeBillingChange(profile, state, graceMs, epoch)?.pendingEmails ?? [];
    const begun = apply(newProfile(), active!);
    expect(emailsOf(begun, overdue!)).toMatchObject([{ kind: 'paymentFailed', plan: 'enterprise' }]);
    expect(emailsOf(apply(begun, overdue!), overdue!)).toEqual([]);
    expect(emailsOf(apply(begun, overdue!), late!)).toEqual([]);
    expect(emailsOf(begun, over!)).toMatchObject([{ kind: 'subscriptionEnded', id: 'ended-sub_1' }]);
    // Also when the plan began and ended between two readings.
    expect(emailsOf(newProfile(), over!)).toMatchObject([{ id: 'ended-sub_1' }]);
    expect(emailsOf({ ...begun, deletion_asked_at: epoch }, over!)).toEqual([]);
  });

  test('an overdue plan works for the grace period from the start of the unpaid period', () => {
    const [, overdue] = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'renew', paid: false },
    ]);
    const profile = apply(newProfile(), overdue!);
    const { periodStart } = overdue!.subscription!;
    expect(profile).toMatchObject({
      subscription_status: 'past_due',
      grace_until: new Date(periodStart.getTime() + graceMs),
    });
  });

  test('an upgrade to the unlimited plan leaves the images and begins with no fair use', () => {
    const [first, upgraded] = statesOf([
      { kind: 'subscribe', plan: 'freelance' },
      { kind: 'change', plan: 'enterprise' },
    ]);
    const before = apply(newProfile(), first!);
    const profile = apply(before, upgraded!);
    expect(profile).toMatchObject({ subscription_plan: 'enterprise', generations_left: 100, granted: 100 });
    expect(profile.fair_use).toEqual({ period_start: upgraded!.subscription!.periodStart, used: 0 });
  });

  test('an ended plan has no subscription, but the profile keeps its name', () => {
    const states = statesOf([
      { kind: 'subscribe', plan: 'enterprise' },
      { kind: 'cancel' },
      { kind: 'renew', paid: true },
    ]);
    expect(apply(newProfile(), states.at(-1)!)).toMatchObject({
      subscription_plan: 'enterprise',
      subscription_status: 'canceled',
      subscription_id: null,
      subscription_data: null,
    });
  });
});
