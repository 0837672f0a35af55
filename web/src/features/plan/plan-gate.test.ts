import { expect, it } from 'vitest';
import { sampleSubscription } from '#tests/support/samples.ts';
import { datesIn } from '#web/lib/dates.ts';
import { planGateLabels, planGateOf } from './plan-gate.ts';

const dates = datesIn('en');

it('lets a seller with images left go on, also one whose payment is overdue but within the grace period', () => {
  expect(planGateOf(sampleSubscription(), null)).toBeNull();
  expect(planGateOf(sampleSubscription({ status: 'past_due', isActive: false }), null)).toBeNull();
  expect(planGateOf(sampleSubscription({ unlimited: true, generationsLeft: null }), null)).toBeNull();
});

it('says what stops one: no plan, an overdue payment, nothing left', () => {
  const stopped = { isActive: false, canGenerate: false };
  expect(planGateOf(sampleSubscription({ ...stopped, status: 'inactive' }), null)).toBe('NO_SUBSCRIPTION');
  expect(planGateOf(sampleSubscription({ ...stopped, status: 'past_due' }), null)).toBe('PAYMENT_OVERDUE');
  expect(planGateOf(sampleSubscription({ canGenerate: false }), null)).toBe('PAYMENT_RETURNED');
  expect(planGateOf(sampleSubscription({ generationsLeft: 0 }), null)).toBe('NO_CREDITS');
});

it('waits for what is held before it says that nothing is left', () => {
  expect(planGateOf(sampleSubscription({ generationsLeft: 0, generationsHeld: 1 }), null)).toBeNull();
});

it('believes the server rather than the screen', () => {
  expect(planGateOf(sampleSubscription(), 'FAIR_USE')).toBe('FAIR_USE');
  expect(planGateOf(sampleSubscription(), 'IMAGE_CORRUPT')).toBeNull();
});

it('names the plan that was chosen, or the day on which images come', () => {
  const words = (stop: Parameters<typeof planGateLabels>[0], details = {}) =>
    planGateLabels(stop, sampleSubscription(details), dates);
  expect(words('NO_SUBSCRIPTION', { plan: 'enterprise' })).toMatchObject({
    title: 'No active subscription found',
    text: 'Enterprise is $199 a month: unlimited generations.',
  });
  expect(words('NO_CREDITS').text).toContain('100 images come with the renewal on December 21, 2026');
  expect(words('PAYMENT_RETURNED').text).toBe(
    'Your plan will work again after its renewal on December 21, 2026.',
  );
  expect(words('NO_CREDITS', { cancelAtPeriodEnd: true }).text).toContain('will not renew');
});
