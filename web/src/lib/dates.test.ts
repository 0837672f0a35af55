import { expect, it } from 'vitest';
import { datesIn } from './dates.ts';

const { ago, period, day } = datesIn('en');
const now = Date.parse('2026-11-21T12:00:00Z');

it('says how long ago something was', () => {
  expect(ago('2026-11-21T11:59:58Z', now)).toBe('now');
  expect(ago('2026-11-21T11:55:00Z', now)).toBe('5 minutes ago');
  expect(ago('2026-11-21T09:00:00Z', now)).toBe('3 hours ago');
  expect(ago('2026-11-20T11:00:00Z', now)).toBe('yesterday');
});

it('names the day of what is more than a week ago', () => {
  expect(ago('2026-11-01T12:00:00Z', now)).toBe('November 1, 2026');
});

it('takes a moment of the future, by a clock that is wrong, for now', () => {
  expect(ago('2026-11-21T12:00:09Z', now)).toBe('now');
});

it('names a period and a day', () => {
  // With thin spaces around the dash.
  expect(period('2026-11-21T12:00:00Z', '2026-12-21T12:00:00Z')).toMatch(/^Nov 21\s–\sDec 21, 2026$/);
  expect(day('2026-12-21T12:00:00Z')).toBe('December 21, 2026');
});

it('speaks other languages', () => {
  expect(datesIn('de').day('2026-12-21T12:00:00Z')).toBe('21. Dezember 2026');
});
