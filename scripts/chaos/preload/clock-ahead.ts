/** Loaded before a worker whose clock is a minute ahead. */
import { shiftClock } from './shift-clock.ts';

shiftClock(60_000);
