import { describe, expect, it } from 'vitest';
import { sampleSubscription } from '#tests/support/samples.ts';
import { datesIn } from '#web/lib/dates.ts';
import { changeLabel, paymentLabel, whatComesNext } from './subscription-labels.ts';

const dates = datesIn('en');
const next = (details: Parameters<typeof sampleSubscription>[0]) =>
  whatComesNext(sampleSubscription(details), dates);

describe('what comes next', () => {
  it('is the next bill, the end, the trial’s end, or another plan', () => {
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

  it('is no bill while one is overdue, but until when the plan works', () => {
    expect(next({ status: 'past_due', graceUntil: '2026-11-28T12:00:00Z' })).toEqual([
      ['Works until', 'November 28, 2026'],
    ]);
  });
});

describe('a change of the plan', () => {
  it('up is at once and charges the difference now', () => {
    const { title, points } = changeLabel(sampleSubscription(), 'enterprise', dates);
    expect(title).toBe('Upgrade to Enterprise?');
    expect(points.join(' ')).toContain('starts at once');
    expect(points.join(' ')).toContain('charged now: at most $149.');
  });

  it('up in a trial charges nothing now', () => {
    const trial = sampleSubscription({ isTrial: true, trialEnd: '2026-12-01T12:00:00Z' });
    expect(changeLabel(trial, 'enterprise', dates).points.join(' ')).not.toContain('charged now');
  });

  it('down is at the period’s end', () => {
    const { points } = changeLabel(sampleSubscription({ plan: 'enterprise' }), 'freelance', dates);
    expect(points[0]).toBe('You keep Enterprise until December 21, 2026: it is paid for.');
  });

  it('takes a cancellation back, and says so', () => {
    const ending = sampleSubscription({ cancelAtPeriodEnd: true });
    expect(changeLabel(ending, 'enterprise', dates).points.at(-1)).toContain('cancellation is taken back');
  });
});

it('names the card, another way to pay, or nothing', () => {
  expect(paymentLabel(sampleSubscription())).toBe('Visa ending in 4242');
  expect(
    paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: 'us_bank_account' })),
  ).toBe('us bank account');
  expect(paymentLabel(sampleSubscription({ last4: null, cardBrand: null, paymentMethod: null }))).toBeNull();
});
