import { expect, it } from 'vitest';
import { datesIn } from '../../lib/dates.ts';
import { sampleSubscription } from '../../lib/samples.ts';
import { planStopOf, stopWords } from './plan-stop.ts';

const dates = datesIn('en');

it('lets a seller with images left go on, also one whose payment is overdue but within the grace period', () => {
  expect(planStopOf(sampleSubscription(), null)).toBeNull();
  expect(planStopOf(sampleSubscription({ status: 'past_due', isActive: false }), null)).toBeNull();
  expect(planStopOf(sampleSubscription({ unlimited: true, generationsLeft: null }), null)).toBeNull();
});

it('says what stops one: no plan, an overdue payment, nothing left', () => {
  const stopped = { isActive: false, canGenerate: false };
  expect(planStopOf(sampleSubscription({ ...stopped, status: 'inactive' }), null)).toBe('NO_SUBSCRIPTION');
  expect(planStopOf(sampleSubscription({ ...stopped, status: 'past_due' }), null)).toBe('PAYMENT_OVERDUE');
  expect(planStopOf(sampleSubscription({ canGenerate: false }), null)).toBe('PAYMENT_RETURNED');
  expect(planStopOf(sampleSubscription({ generationsLeft: 0 }), null)).toBe('NO_CREDITS');
});

it('waits for what is held before it says that nothing is left', () => {
  expect(planStopOf(sampleSubscription({ generationsLeft: 0, generationsHeld: 1 }), null)).toBeNull();
});

it('believes the server rather than the screen', () => {
  expect(planStopOf(sampleSubscription(), 'FAIR_USE')).toBe('FAIR_USE');
  expect(planStopOf(sampleSubscription(), 'IMAGE_CORRUPT')).toBeNull();
});

it('names the plan that was chosen, or the day on which images come', () => {
  const words = (stop: Parameters<typeof stopWords>[0], details = {}) =>
    stopWords(stop, sampleSubscription(details), dates);
  expect(words('NO_SUBSCRIPTION', { plan: 'enterprise' })).toMatchObject({
    title: 'No active subscription found',
    text: 'Enterprise is $199 a month: unlimited generations.',
  });
  expect(words('NO_CREDITS').text).toContain('100 images come with the renewal on December 21, 2026');
  expect(words('PAYMENT_RETURNED').text).toBe('Your plan works again with its renewal on December 21, 2026.');
  expect(words('NO_CREDITS', { cancelAtPeriodEnd: true }).text).toContain('will not renew');
});
