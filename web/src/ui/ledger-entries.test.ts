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

it.each<[Partial<CreditEntryView>, text: string]>([
  [{ kind: 'grant', count: 100, period }, '+100 · Freelance, Nov 21 – Dec 21, 2026'],
  [{ kind: 'grant', count: 3, free: true }, '+3 · Free images added'],
  [{ kind: 'grant', count: 3 }, '+3 · Images added'],
  [{ kind: 'settle', generation: cup('succeeded') }, '−1 · Coffee cup'],
  [{ kind: 'settle', generation: cup('cancelled') }, '−1 · Coffee cup was stopped after a preview'],
  [{ kind: 'release', generation: cup('failed') }, '0 · Coffee cup failed, no image used'],
  [{ kind: 'release', generation: cup('cancelled') }, '0 · Coffee cup was cancelled, no image used'],
  [{ kind: 'remake', generation: cup('succeeded') }, '0 · Coffee cup was made again at no charge'],
  [{ kind: 'forfeit', count: 12, period }, '−12 · Unused images expired'],
  [{ kind: 'refund', count: 40, period }, '−40 · Removed: the payment was refunded or disputed'],
  [{ kind: 'reinstate', count: 40, period }, '+40 · Restored: the refund or dispute was reversed'],
  [{ kind: 'support-added', count: 5 }, '+5 · Images added by our support'],
  [{ kind: 'support-removed', count: 5 }, '−5 · Images removed by our support'],
  // The sign is that of the kind, not of the count.
  [{ kind: 'settle', count: -1, generation: cup('succeeded') }, '−1 · Coffee cup'],
  [{ kind: 'forfeit', count: -12 }, '−12 · Unused images expired'],
  [
    { kind: 'grant', count: 0, period: { ...period, plan: 'enterprise' } },
    '∞ · Enterprise, Nov 21 – Dec 21, 2026: unlimited',
  ],
  [{ kind: 'settle' }, '−1 · An image'],
])('%o is shown as %s', (entry, text) => {
  expect(label(entry)).toBe(text);
});

it('shortens a long description', () => {
  const { length } = label({ kind: 'settle', generation: { ...cup('succeeded'), name: 'oak '.repeat(60) } });
  expect(length).toBeLessThan(70);
});
