import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { partUntilFirstEvent, startWatchdog } from './watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const limits = { timeoutMs: limitMs(600_000), stallMs: limitMs(120_000) };
const watch = () => startWatchdog(new AbortController().signal, limits);
const seconds = (count: number) => vi.advanceTimersByTime(limitMs(count * 1_000));

test('until the first event a call has nearly the whole time, however silent it is', () => {
  const call = watch();
  seconds(600 * partUntilFirstEvent - 1);
  expect(call.reason()).toBeUndefined();
  seconds(1);
  expect(call.reason()).toBe('stalled');
  expect(call.signal.aborted).toBe(true);
});

test('headers and comments prolong the wait for the first event, up to the whole time', () => {
  const call = watch();
  for (let heard = 0; heard < 4; heard += 1) {
    seconds(149);
    call.heard();
  }
  expect(call.reason()).toBeUndefined();
  seconds(4);
  expect(call.reason()).toBe('timeout');
});

test('after the first event a stall is found, and every byte counts', () => {
  const call = watch();
  seconds(300);
  call.heard();
  call.began();
  seconds(119);
  call.heard();
  seconds(119);
  expect(call.reason()).toBeUndefined();
  // A second event begins nothing anew.
  call.began();
  seconds(1);
  expect(call.reason()).toBe('stalled');
});

test('a call that has ended is not watched any more', () => {
  const call = watch();
  call.began();
  call.stop();
  expect(vi.getTimerCount()).toBe(0);
  seconds(700);
  expect(call.reason()).toBeUndefined();
});

test('a call that we stopped keeps its reason', () => {
  const stop = new AbortController();
  const call = startWatchdog(stop.signal, limits);
  stop.abort();
  seconds(700);
  expect(call.reason()).toBe('aborted');
  expect(startWatchdog(AbortSignal.abort(), limits).reason()).toBe('aborted');
});
