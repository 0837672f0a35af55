import { expect, it } from 'vitest';
import { type SubscriptionStatus, subscriptionStatuses } from '#contract';
import { sampleSubscription } from '#tests/support/samples.ts';
import { dateFormats } from '#web/lib/dates.ts';
import { findPlanGate, type PlanGate } from './plan-gate.ts';
import { planGateLabels } from './plan-gate-labels.ts';

const dates = dateFormats('en');

it('allows images while some are left, also with an overdue payment within the grace period', () => {
  expect(findPlanGate(sampleSubscription(), null)).toBeNull();
  expect(findPlanGate(sampleSubscription({ status: 'past_due', isActive: false }), null)).toBeNull();
  expect(findPlanGate(sampleSubscription({ unlimited: true, generationsLeft: null }), null)).toBeNull();
});

it('gives the reason: no plan, an overdue payment, nothing left', () => {
  const stopped = { isActive: false, canGenerate: false };
  expect(findPlanGate(sampleSubscription({ ...stopped, status: 'inactive' }), null)).toBe('NO_SUBSCRIPTION');
  expect(findPlanGate(sampleSubscription({ ...stopped, status: 'past_due' }), null)).toBe('PAYMENT_OVERDUE');
  expect(findPlanGate(sampleSubscription({ canGenerate: false }), null)).toBe('PAYMENT_RETURNED');
  expect(findPlanGate(sampleSubscription({ generationsLeft: 0 }), null)).toBe('NO_CREDITS');
});

it('waits for held images before it says that none are left', () => {
  expect(findPlanGate(sampleSubscription({ generationsLeft: 0, generationsHeld: 1 }), null)).toBeNull();
});

it('allows images while free ones are left or on hold, whatever the plan says', () => {
  const stopped = { isActive: false, canGenerate: false } as const;
  for (const freeImages of [
    { granted: 3, left: 1, held: 0, due: false },
    { granted: 3, left: 0, held: 1, due: false },
  ]) {
    for (const status of ['inactive', 'past_due', 'canceled'] as const) {
      expect(findPlanGate(sampleSubscription({ ...stopped, status, freeImages }), null)).toBeNull();
    }
    expect(findPlanGate(sampleSubscription({ generationsLeft: 0, freeImages }), null)).toBeNull();
  }
});

it('says that the free images are used, or come later, to sellers who never paid', () => {
  const gate = (status: 'inactive' | 'canceled', freeImages: object) => {
    const none = { granted: 0, left: 0, held: 0, due: false };
    const view = sampleSubscription({ status, canGenerate: false, freeImages: { ...none, ...freeImages } });
    return planGateLabels('NO_SUBSCRIPTION', view, dates);
  };
  const choose = { text: 'Choose a plan to create more.', action: 'choose' };
  expect(gate('inactive', { granted: 3 })).toEqual({ title: "You've used your 3 free images", ...choose });
  expect(gate('inactive', { granted: 1 })).toEqual({ title: "You've used your free image", ...choose });
  const held = { title: 'The last of your free images are being created', ...choose };
  expect(gate('inactive', { granted: 3, held: 1 })).toEqual(held);
  expect(gate('inactive', { due: true }).title).toBe('Your free images come later');
  expect(gate('canceled', { granted: 3 }).title).toBe('No active subscription found');
  expect(gate('inactive', {}).title).toBe('No active subscription found');
});

it('gives precedence to the error of the last submission', () => {
  expect(findPlanGate(sampleSubscription(), 'FAIR_USE')).toBe('FAIR_USE');
  expect(findPlanGate(sampleSubscription(), 'IMAGE_CORRUPT')).toBeNull();
});

it('names the chosen plan, or the day of the next images', () => {
  const labels = (gate: PlanGate, details = {}) => planGateLabels(gate, sampleSubscription(details), dates);
  expect(labels('NO_SUBSCRIPTION', { plan: 'enterprise' })).toMatchObject({
    title: 'No active subscription found',
    text: 'Enterprise is $199 a month: unlimited generations.',
  });
  expect(labels('NO_CREDITS').text).toBe(
    'You get 100 images when your plan renews on December 21, 2026. Enterprise has no monthly limit.',
  );
  const nextPlan = { plan: 'enterprise', at: '2026-12-21T12:00:00Z' };
  expect(labels('NO_CREDITS', { nextPlan }).text).toContain('You get unlimited images');
  expect(labels('PAYMENT_RETURNED').text).toContain('renews on December 21, 2026.');
  expect(labels('NO_CREDITS', { cancelAtPeriodEnd: true }).text).toContain('will not renew');
});

it('changes no plan that runs: the way leads to the plan page, which shows the amount', () => {
  const actions = new Map<SubscriptionStatus, string>();
  for (const status of subscriptionStatuses) {
    const canGenerate = status === 'active' || status === 'trialing';
    const view = sampleSubscription({ status, canGenerate, generationsLeft: 0 });
    const gate = findPlanGate(view, null);
    if (gate !== null) actions.set(status, planGateLabels(gate, view, dates).action);
  }
  expect(Object.fromEntries(actions)).toMatchObject({
    active: 'upgrade',
    trialing: 'upgrade',
    past_due: 'portal',
    unpaid: 'portal',
    canceled: expect.stringMatching(/^(choose|subscribe)$/),
  });
});
