import { expect, test } from 'vitest';
import { limits, webhookTries, webhookWaits } from '#contract';
import { OutboundError, type OutboundFailure } from '#shared/outbound/outbound-error.ts';
import {
  answerOf,
  answerOfError,
  askedWaitMs,
  failingAfter,
  hasFailedTooLong,
  nextTry,
  restMs,
} from './outcome.ts';

const now = Date.parse('2026-11-29T09:00:00Z');
const answer = (status: number, retryAfter?: string) => answerOf({ status, retryAfter, body: '' });
const hour = 3_600_000;

test('eight tries over a day, each wait up to a tenth longer', () => {
  expect(webhookTries).toBe(8);
  let least = 0;
  for (let tries = 1; tries < webhookTries; tries += 1) {
    const waits = Array.from({ length: 50 }, () => nextTry(tries, answer(500), now)!.getTime() - now);
    const usual = webhookWaits[tries - 1]! * 1_000;
    for (const wait of waits) expect([wait >= usual, wait <= usual * 1.1]).toEqual([true, true]);
    // Not all at the same time.
    expect(new Set(waits).size).toBeGreaterThan(10);
    least += usual;
  }
  expect(nextTry(webhookTries, answer(500), now)).toBeNull();
  expect([least > 23 * hour, least * 1.1 < 27 * hour]).toEqual([true, true]);
});

test('Retry-After counts for 429 and 503, within an hour', () => {
  const cases: [status: number, header: string | undefined, ms: number][] = [
    [429, '120', 120_000],
    [503, '0', 0],
    [503, new Date(now + 60_000).toUTCString(), 60_000],
    [503, new Date(now - 60_000).toUTCString(), 0],
    [429, '9'.repeat(400), hour],
    [429, 'soon', 0],
    [429, undefined, 0],
    [500, '120', 0],
  ];
  for (const [status, header, ms] of cases) {
    expect([status, header, askedWaitMs(answer(status, header), now)]).toEqual([status, header, ms]);
  }
  expect(nextTry(1, answer(503, '120'), now)!.getTime() - now).toBe(120_000);
  // The usual wait is longer.
  expect(nextTry(5, answer(503, '120'), now)!.getTime() - now).toBeGreaterThanOrEqual(
    webhookWaits[4] * 1_000,
  );
});

test('an endpoint rests for longer with each failure, and as long as it asks', () => {
  expect([1, 2, 5, 9, 10, 500].map((tries) => restMs(tries, answer(500), now))).toEqual([
    1_000, 2_000, 16_000, 256_000, 300_000, 300_000,
  ]);
  expect(restMs(1, answer(429, '1800'), now)).toBe(1_800_000);
});

test('only 2xx is success; a redirect is told apart, and what went wrong with a call', () => {
  expect([200, 204, 299].map((status) => answer(status).failure)).toEqual([null, null, null]);
  expect([301, 308].map((status) => answer(status).failure)).toEqual(['redirect', 'redirect']);
  expect([400, 404, 410, 500].map((status) => answer(status).failure)).toEqual(Array(4).fill('status'));
  const told: [OutboundFailure, string][] = [
    ['timeout', 'timeout'],
    ['certificate', 'certificate'],
    ['unreachable', 'unreachable'],
    ['not-public', 'not-public'],
    ['port', 'not-public'],
  ];
  for (const [failure, name] of told) {
    expect(answerOfError(new OutboundError(failure))).toMatchObject({ status: null, failure: name });
  }
  expect(() => answerOfError(new Error('a mistake of ours'))).toThrow('a mistake of ours');
});

test('three days of failures switch off; two days without a try in between do not', () => {
  let failing = failingAfter(null, new Date(now));
  for (let hours = 10; hours <= 70; hours += 10)
    failing = failingAfter(failing, new Date(now + hours * hour));
  expect([hasFailedTooLong(failing), failing.tries]).toEqual([false, 8]);
  failing = failingAfter(failing, new Date(now + limits.webhookFailingDays * 24 * hour));
  expect(hasFailedTooLong(failing)).toBe(true);
  const later = new Date(now + 10 * 24 * hour);
  expect(failingAfter(failing, later)).toEqual({ since: later, last: later, tries: 1 });
});
