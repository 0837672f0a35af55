import { expect, it } from 'vitest';
import type { CreditEntryView } from '#contract';
import { datesIn } from '#web/lib/dates.ts';
import { ledgerEntryLabel } from './ledger-labels.ts';

const period = { plan: 'freelance', start: '2026-11-21T12:00:00Z', end: '2026-12-21T12:00:00Z' } as const;
const cup = (state: string) => ({ id: 'one', name: 'Coffee cup', state });
const words = (entry: Partial<CreditEntryView>) => {
  const whole = {
    id: '1',
    kind: 'grant',
    count: 1,
    at: period.start,
    generation: null,
    period: null,
  } as const;
  const { count, text } = ledgerEntryLabel({ ...whole, ...entry }, datesIn('en'));
  // A period has thin spaces around its dash.
  return `${count} · ${text}`.replaceAll('\u2009', ' ');
};

it('says each kind of line with its signed count', () => {
  expect(words({ kind: 'grant', count: 100, period })).toBe('+100 · Freelance, Nov 21 – Dec 21, 2026');
  expect(words({ kind: 'settle', generation: cup('succeeded') })).toBe('−1 · Coffee cup');
  expect(words({ kind: 'settle', generation: cup('cancelled') })).toBe(
    '−1 · Coffee cup was stopped after a preview',
  );
  expect(words({ kind: 'release', generation: cup('failed') })).toBe(
    '0 · Coffee cup failed and was not counted',
  );
  expect(words({ kind: 'release', generation: cup('cancelled') })).toBe(
    '0 · Coffee cup was cancelled and was not counted',
  );
  expect(words({ kind: 'forfeit', count: 12, period })).toBe('−12 · Left over, the month was over');
  expect(words({ kind: 'refund', count: 40, period })).toBe(
    '−40 · Taken back, the payment was refunded or is disputed',
  );
  expect(words({ kind: 'reinstate', count: 40, period })).toBe('+40 · Given back, the payment stands again');
});

it('takes the sign from the kind, whichever the count has', () => {
  expect(words({ kind: 'settle', count: -1, generation: cup('succeeded') })).toBe('−1 · Coffee cup');
  expect(words({ kind: 'forfeit', count: -12 })).toBe('−12 · Left over, the month was over');
});

it('has no number for a month without one', () => {
  expect(words({ kind: 'grant', count: 0, period: { ...period, plan: 'enterprise' } })).toBe(
    '∞ · Enterprise, Nov 21 – Dec 21, 2026: unlimited',
  );
});

it('shortens a description that stands in for a name, and does without either', () => {
  const { length } = words({ kind: 'settle', generation: { ...cup('succeeded'), name: 'oak '.repeat(60) } });
  expect(length).toBeLessThan(70);
  expect(words({ kind: 'settle' })).toBe('−1 · An image');
});
