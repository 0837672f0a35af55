import { expect, it } from 'vitest';
import { announcementOf, durationMs } from './rate-headers.ts';

it.each([
  ['1s', 1_000],
  ['6m0s', 360_000],
  ['20ms', 20],
  ['1h2m3.5s', 3_723_500],
  ['7', 7_000],
  ['0.5', 500],
  ['', null],
  ['soon', null],
  ['-1s', null],
  [null, null],
])('reads the duration %s', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

const headers = (values: Record<string, string>) =>
  announcementOf(
    new Headers(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`x-ratelimit-${name}`, value])),
    ),
  );

it('takes the tightest limit, and the longer of two resets', () => {
  expect(headers({})).toBeNull();
  expect(headers({ 'remaining-requests': '4' })).toBeNull();
  expect(headers({ 'remaining-requests': '4', 'reset-requests': '1s', 'limit-requests': '5' })).toEqual({
    limit: 5,
    remaining: 4,
    resetMs: 1_000,
  });
  expect(
    headers({
      'remaining-requests': '4',
      'reset-requests': '1s',
      'remaining-images': '0',
      'reset-images': '2s',
      'remaining-input-images': '0',
      'reset-input-images': '6h',
    }),
  ).toEqual({ limit: null, remaining: 0, resetMs: 120_000 });
});

it('takes tokens to be used up when few are left, because the cost of a call is not known', () => {
  const tokens = (remaining: string) =>
    headers({ 'limit-tokens': '1000', 'remaining-tokens': remaining, 'reset-tokens': '3s' });
  expect(tokens('51')).toBeNull();
  expect(tokens('49')).toEqual({ limit: null, remaining: 0, resetMs: 3_000 });
});
