/**
 * Loaded before a worker whose clock is five seconds ahead, three times the lock of a job. On PostgreSQL, BullMQ looks for
 * jobs of dead workers again when the clock of the last worker that did has passed: after a worker whose clock is a minute
 * ahead nobody looks for a minute, which is longer than a run may take to come to rest.
 */
import { shiftClock } from './shift-clock.ts';

shiftClock(5_000);
