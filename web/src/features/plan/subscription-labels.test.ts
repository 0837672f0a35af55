import { describe, expect, it } from 'vitest';
import { sampleSubscription } from '#tests/support/samples.ts';
import { dateFormats } from '#web/lib/dates.ts';
import { paymentLabel, upcomingDates } from './subscription-labels.ts';

const dates = dateFormats('en');
const next = (details: Parameters<typeof sampleSubscription>[0]) =>
  upcomingDates(sampleSubscription(details), dates);

describe('the upcoming dates', () => {
  it('are the next bill, the end, the end of the trial, or another plan', () => {
    expect(next({})).toEqual([['Next billing date', 'December 21, 2026']]);
    expect(next({ cancelAtPeriodEnd: true })).toEqual([['Ends on', 'December 21, 2026']]);
    expect(next({ isTrial: true, trialEnd: '2026-12-01T12:00:00Z' })[0]).toEqual([
      'Trial until',
      'December 1, 2026',
    ]);
    expect(next({ plan: 'enterprise', nextPlan: { plan: 'freelance', at: '2026-12-21T12:00:00Z' } })).toEqual(
      [['Changes to Freelance on', 'December 21, 2026']],
    );
  });

  it('include the end of the grace period, but no bill, while one is overdue', () => {
    expect(next({ status: 'past_due', graceUntil: '2026-11-28T12:00:00Z' })).toEqual([
      ['Active until', 'November 28, 2026'],
    ]);
  });
});

it('names the card or another payment method, if known', () => {
  expect(paymentLabel(sampleSubscription())).toBe('Visa ending in 4242');
  expect(
    paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: 'us_bank_account' })),
  ).toBe('us bank account');
  expect(paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: null }))).toBeNull();
});
