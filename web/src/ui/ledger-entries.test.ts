import { expect, it } from 'vitest';
import type { CreditEntryView } from '#contract';
import { dateFormats } from '#web/lib/dates.ts';
import { ledgerEntryLabel } from './ledger-entries.tsx';

const period = { plan: 'freelance', start: '2026-11-21T12:00:00Z', end: '2026-12-21T12:00:00Z' } as const;
const cup = (state: string) => ({ id: 'one', name: 'Coffee cup', state });
const label = (entry: Partial<CreditEntryView>) => {
  const whole = {
    id: '1',
    kind: 'grant',
    count: 1,
    free: false,
    at: period.start,
    generation: null,
    period: null,
  } as const;
  const { count, text } = ledgerEntryLabel({ ...whole, ...entry }, dateFormats('en'));
  // A period has thin spaces around its dash.
  return `${count} · ${text}`.replaceAll('\u2009', ' ');
};

it('has a text and a signed count for each kind', () => {
  expect(label({ kind: 'grant', count: 100, period })).toBe('+100 · Freelance, Nov 21 – Dec 21, 2026');
  expect(label({ kind: 'grant', count: 3, free: true })).toBe('+3 · Free images added');
  expect(label({ kind: 'grant', count: 3 })).toBe('+3 · Images added');
  expect(label({ kind: 'settle', generation: cup('succeeded') })).toBe('−1 · Coffee cup');
  expect(label({ kind: 'settle', generation: cup('cancelled') })).toBe(
    '−1 · Coffee cup was stopped after a preview',
  );
  expect(label({ kind: 'release', generation: cup('failed') })).toBe('0 · Coffee cup failed, no image used');
  expect(label({ kind: 'release', generation: cup('cancelled') })).toBe(
    '0 · Coffee cup was cancelled, no image used',
  );
  expect(label({ kind: 'remake', generation: cup('succeeded') })).toBe(
    '0 · Coffee cup was made again at no charge',
  );
  expect(label({ kind: 'forfeit', count: 12, period })).toBe('−12 · Unused images expired');
  expect(label({ kind: 'refund', count: 40, period })).toBe(
    '−40 · Removed: the payment was refunded or disputed',
  );
  expect(label({ kind: 'reinstate', count: 40, period })).toBe(
    '+40 · Restored: the refund or dispute was reversed',
  );
  expect(label({ kind: 'support-added', count: 5 })).toBe('+5 · Images added by our support');
  expect(label({ kind: 'support-removed', count: 5 })).toBe('−5 · Images removed by our support');
});

it('takes the sign from the kind, not from the count', () => {
  expect(label({ kind: 'settle', count: -1, generation: cup('succeeded') })).toBe('−1 · Coffee cup');
  expect(label({ kind: 'forfeit', count: -12 })).toBe('−12 · Unused images expired');
});

it('shows ∞ for a period without a limit', () => {
  expect(label({ kind: 'grant', count: 0, period: { ...period, plan: 'enterprise' } })).toBe(
    '∞ · Enterprise, Nov 21 – Dec 21, 2026: unlimited',
  );
});

it('shortens a long description, and does without a name', () => {
  const { length } = label({ kind: 'settle', generation: { ...cup('succeeded'), name: 'oak '.repeat(60) } });
  expect(length).toBeLessThan(70);
  expect(label({ kind: 'settle' })).toBe('−1 · An image');
});
