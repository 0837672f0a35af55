import { expect, it } from 'vitest';
import { dateFormats } from './dates.ts';

const { ago, period, day } = dateFormats('en');
const now = Date.parse('2026-11-21T12:00:00Z');

it('says how long ago something was', () => {
  expect(ago('2026-11-21T11:59:58Z', now)).toBe('now');
  expect(ago('2026-11-21T11:55:00Z', now)).toBe('5 minutes ago');
  expect(ago('2026-11-21T09:00:00Z', now)).toBe('3 hours ago');
  expect(ago('2026-11-20T11:00:00Z', now)).toBe('yesterday');
});

it('gives the date after a week', () => {
  expect(ago('2026-11-01T12:00:00Z', now)).toBe('November 1, 2026');
});

it('says "now" for a time in the future, which a wrong clock may give', () => {
  expect(ago('2026-11-21T12:00:09Z', now)).toBe('now');
});

it('names a period and a day', () => {
  // With thin spaces around the dash.
  expect(period('2026-11-21T12:00:00Z', '2026-12-21T12:00:00Z')).toMatch(/^Nov 21\s–\sDec 21, 2026$/);
  expect(day('2026-12-21T12:00:00Z')).toBe('December 21, 2026');
});

it('formats in other languages', () => {
  expect(dateFormats('de').day('2026-12-21T12:00:00Z')).toBe('21. Dezember 2026');
});
