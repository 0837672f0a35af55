/** The server's clock: real time plus an offset that only grows and survives a restart. */
import { addMonths } from './calendar.ts';
import type { Store } from './store.ts';

const setting = 'clock_offset_seconds';
/** Steps of months that are no further apart than this follow each other. */
const daySeconds = 86_400;

/** Tells the time in Unix seconds. */
export class Clock {
  readonly #store: Store;
  #offset: number;
  #stopped: number | undefined;
  /** Where steps of months began that follow each other, how many months that is, and where they led. */
  #months: { from: number; count: number; reached: number } | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#offset = Number(store.setting(setting) ?? 0);
  }

  now(): number {
    return this.#stopped ?? realNow() + this.#offset;
  }

  /** How many seconds this clock is ahead of real time. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * The time some months later. Steps that follow each other count from where the first one began: a short month in between
   * does not move the days after it, as it does not move those of a subscription.
   */
  monthsLater(count: number): number {
    const now = this.now();
    const before = this.#months;
    const elapsed = now - (before?.reached ?? 0);
    const series =
      before && elapsed >= 0 && elapsed < daySeconds
        ? { from: before.from + elapsed, count: before.count + count }
        : { from: now, count };
    const reached = addMonths(series.from, series.count);
    this.#months = { ...series, reached };
    return reached;
  }

  /**
   * Moves the clock forward; an earlier time is ignored. Must be called in the transaction that does what is due
   * then.
   */
  moveTo(time: number): void {
    if (time <= realNow() + this.#offset) return;
    this.#offset = time - realNow();
    this.#store.setSetting(setting, String(this.#offset));
  }

  /** Runs a function with the clock stopped at a given time, so that everything it does has the same timestamp. */
  at<Result>(time: number, work: () => Result): Result {
    const before = this.#stopped;
    this.#stopped = time;
    try {
      return work();
    } finally {
      this.#stopped = before;
    }
  }
}

function realNow(): number {
  return Math.floor(Date.now() / 1000);
}
