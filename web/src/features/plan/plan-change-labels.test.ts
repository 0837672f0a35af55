import { describe, expect, it } from 'vitest';
import type { PlanChangePreview } from '#contract';
import { sampleSubscription } from '#tests/support/samples.ts';
import { dateFormats } from '#web/lib/dates.ts';
import { planChangeLabels } from './plan-change-labels.ts';

const dates = dateFormats('en');
const at = '2026-12-21T12:00:00Z';
const dueNow = {
  amount: 9_444,
  remaining: 12_613,
  unused: 3_169,
  discount: 1_000,
  tax: 1_500,
  taxIncluded: false,
  balance: -500,
  prorationDate: '2026-12-02T10:00:00Z',
};
const preview: PlanChangePreview = {
  planId: 'enterprise',
  currency: 'usd',
  dueNow,
  next: { amount: 23_681, tax: 3_781, taxIncluded: false, at },
};
const upgrade = (shown?: PlanChangePreview, details?: Parameters<typeof sampleSubscription>[0]) =>
  planChangeLabels(sampleSubscription(details), 'enterprise', dates, shown);

describe('an upgrade', () => {
  it('shows what is charged now, how it comes about, and the next payment; the seller agrees to that', () => {
    const { title, amounts, points, warning, agreed } = upgrade(preview);
    expect(title).toBe('Upgrade to Enterprise?');
    expect(amounts).toEqual([
      ['Enterprise until December 21, 2026', '$126.13'],
      ['Unused time on Freelance', '−$31.69'],
      ['Discount', '−$10.00'],
      ['Tax', '$15.00'],
      ['Your credit', '−$5.00'],
      ['Charged now', '$94.44'],
    ]);
    expect(points.slice(0, 2)).toEqual([
      'Enterprise with unlimited images starts right away.',
      'On December 21, 2026, you pay $236.81, including $37.81 tax.',
    ]);
    expect(warning).toBeNull();
    expect(agreed).toEqual({ amount: 9_444, prorationDate: dueNow.prorationDate });
  });

  it('leaves out what is not there, also if nothing is left to pay', () => {
    const free = { ...dueNow, amount: 0, discount: 0, tax: 0, balance: -9_444 };
    expect(upgrade({ ...preview, dueNow: free }).amounts.map(([label]) => label)).toEqual([
      'Enterprise until December 21, 2026',
      'Unused time on Freelance',
      'Your credit',
      'Charged now',
    ]);
  });

  it('without a preview, says the most that is charged, and the seller agrees to no more', () => {
    const { amounts, points, warning, agreed } = upgrade();
    expect(amounts).toEqual([]);
    expect(warning).toContain("You'll be charged at most $149.");
    expect(points).toContain('From December 21, 2026, you pay $199 a month, plus tax where it applies.');
    expect(agreed).toEqual({ amount: 14_900 });
  });

  it('during a trial charges nothing, and nothing is agreed to', () => {
    const trial = { isTrial: true, trialEnd: '2026-12-01T12:00:00Z' };
    for (const shown of [{ ...preview, dueNow: null }, undefined]) {
      const { amounts, points, warning, agreed } = upgrade(shown, trial);
      expect([amounts, warning, agreed]).toEqual([[], null, undefined]);
      expect(points[1]).toContain('Your trial continues until December 1, 2026.');
    }
  });

  it('reverses a cancellation, and says so', () => {
    expect(upgrade(preview, { cancelAtPeriodEnd: true }).points.at(-1)).toContain(
      'cancellation will be reversed',
    );
  });
});

it('a downgrade takes effect at the end of the period, with the next payment', () => {
  const labels = planChangeLabels(sampleSubscription({ plan: 'enterprise' }), 'freelance', dates, {
    planId: 'freelance',
    currency: 'usd',
    dueNow: null,
    next: { amount: 5_000, tax: 0, taxIncluded: false, at },
  });
  expect(labels.points[0]).toBe("You'll keep Enterprise until December 21, 2026.");
  expect(labels.points).toContain('On December 21, 2026, you pay $50.00.');
  expect([labels.amounts, labels.agreed, labels.warning]).toEqual([[], undefined, null]);
});
