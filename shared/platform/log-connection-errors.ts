import type { EventEmitter } from 'node:events';
import type { Log } from './log.ts';

/** Time between two lines about the same connection, in ms. */
const intervalMs = 5_000;

/**
 * Logs the errors that a connection emits: the first at once, and then at most one every 5 s with the number of those left
 * out. While its store is away, a BullMQ worker emits hundreds in a second.
 */
export function logConnectionErrors(connection: EventEmitter, name: string, log: Log): void {
  let nextAt = 0;
  let leftOut = 0;
  connection.on('error', (error) => {
    const now = Date.now();
    if (now < nextAt) {
      leftOut += 1;
      return;
    }
    log.warn({ err: error, ...(leftOut > 0 && { leftOut }) }, name);
    nextAt = now + intervalMs;
    leftOut = 0;
  });
}
