import { expect, test } from 'vitest';
import type { CostDayRow } from '#shared/data/costs/provider-costs.ts';
import { spendingConditions } from './spending.ts';

const now = new Date('2026-11-28T10:30:00Z');
const day = (_id: string, changed: Partial<CostDayRow> = {}): CostDayRow => ({
  _id,
  at: new Date(`${_id}T00:00:00Z`),
  total: 0,
  ...changed,
});
const cap = 50_000_000;

test('the cap: nothing below four fifths, then near, then reached', () => {
  const kinds = (today: CostDayRow, limit: number | null = cap) =>
    Object.keys(spendingConditions({ days: [today], cap: limit }, now));
  expect(kinds(day('2026-11-28', { total: 39_999_999 }))).toEqual([]);
  expect(kinds(day('2026-11-28', { total: 40_000_000 }))).toEqual(['cost-cap-near']);
  const stopped = day('2026-11-28', { total: 49_980_000, stopped_at: new Date('2026-11-28T09:00:00Z') });
  expect(kinds(stopped)).toEqual(['cost-cap-reached']);
  expect(kinds(stopped, null)).toEqual([]);
  // Yesterday's is over.
  expect(kinds(day('2026-11-27', { total: cap, stopped_at: now }))).toEqual([]);
  expect(spendingConditions({ days: [stopped], cap }, now)['cost-cap-reached']).toBe(
    'Since 2026-11-28T09:00:00.000Z images wait for midnight UTC: the calls of today cost $49.98 of $50.00, and the next one would pass that.',
  );
});

test('an hour that costs far more than those of the week', () => {
  const hoursOf = (amount: number) =>
    Object.fromEntries(Array.from({ length: 12 }, (_, hour) => [String(hour), amount]));
  const week = ['2026-11-25', '2026-11-26', '2026-11-27'].map((id) => day(id, { hours: hoursOf(1_000_000) }));
  const unusual = (hours: Record<string, number>, before = week) =>
    spendingConditions({ days: [...before, day('2026-11-28', { hours })], cap: null }, now)['cost-unusual'];
  expect(unusual({ '10': 3_999_999 })).toBeUndefined();
  expect(unusual({ '10': 4_000_000 })).toBe(
    "An hour of calls cost $4.00. The mean of the last week's hours is $1.00.",
  );
  // The hour before counts, too; an earlier one is over.
  expect(unusual({ '9': 5_000_000, '10': 1 })).toContain('$5.00');
  expect(unusual({ '7': 5_000_000, '10': 1 })).toBeUndefined();
  // Little money is not worth an alert, and a day says nothing about what is usual.
  const small = week.map((each) => ({ ...each, hours: hoursOf(100_000) }));
  expect(unusual({ '10': 1_900_000 }, small)).toBeUndefined();
  expect(unusual({ '10': 9_000_000 }, week.slice(0, 1))).toBeUndefined();
});
