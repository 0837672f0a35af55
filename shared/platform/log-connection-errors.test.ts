import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { logConnectionErrors } from './log-connection-errors.ts';

test('a connection that fails all the time is logged every five seconds, with the number of errors left out', () => {
  vi.useFakeTimers();
  const log = createLog({ logLevel: 'silent' }, 'test');
  const warn = vi.spyOn(log, 'warn');
  const connection = new EventEmitter();
  logConnectionErrors(connection, 'queue', log);
  const error = new Error('the connection has ended');
  for (let passedMs = 0; passedMs <= 10_000; passedMs += 10) {
    connection.emit('error', error);
    vi.advanceTimersByTime(10);
  }
  expect(warn.mock.calls).toEqual([
    [{ err: error }, 'queue'],
    [{ err: error, leftOut: 499 }, 'queue'],
    [{ err: error, leftOut: 499 }, 'queue'],
  ]);
});
