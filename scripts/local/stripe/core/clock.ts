/** The server's clock: real time plus an offset that only grows and survives a restart. */
import type { Store } from './store.ts';

const setting = 'clock_offset_seconds';

/** Tells the time in Unix seconds. */
export class Clock {
  readonly #store: Store;
  #offset: number;
  #stopped: number | undefined;

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
