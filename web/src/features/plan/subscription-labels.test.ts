import { describe, expect, it } from 'vitest';
import { sampleSubscription } from '#tests/support/samples.ts';
import { dateFormats } from '#web/lib/dates.ts';
import { paymentLabel, planChangeLabels, upcomingDates } from './subscription-labels.ts';

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

describe('a change of plan', () => {
  it('upgrades right away and charges the difference', () => {
    const { title, points } = planChangeLabels(sampleSubscription(), 'enterprise', dates);
    expect(title).toBe('Upgrade to Enterprise?');
    expect(points.join(' ')).toContain('starts right away');
    expect(points.join(' ')).toContain('charged now: at most $149, plus tax where it applies.');
  });

  it('charges nothing for an upgrade during a trial', () => {
    const trial = sampleSubscription({ isTrial: true, trialEnd: '2026-12-01T12:00:00Z' });
    expect(planChangeLabels(trial, 'enterprise', dates).points.join(' ')).not.toContain('charged now');
  });

  it('downgrades at the end of the period', () => {
    const { points } = planChangeLabels(sampleSubscription({ plan: 'enterprise' }), 'freelance', dates);
    expect(points[0]).toBe("You'll keep Enterprise until December 21, 2026.");
  });

  it('reverses a cancellation, and says so', () => {
    const ending = sampleSubscription({ cancelAtPeriodEnd: true });
    expect(planChangeLabels(ending, 'enterprise', dates).points.at(-1)).toContain(
      'cancellation will be reversed',
    );
  });
});

it('names the card or another payment method, if known', () => {
  expect(paymentLabel(sampleSubscription())).toBe('Visa ending in 4242');
  expect(
    paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: 'us_bank_account' })),
  ).toBe('us bank account');
  expect(paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: null }))).toBeNull();
});
