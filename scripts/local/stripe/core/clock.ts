/** The one clock of the server: real time plus an offset that only grows and outlives the process. */
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

  /** How far this clock is ahead of real time, in seconds. */
  get offset(): number {
    return this.#offset;
  }

  /** Puts the clock to a later time; an earlier one is ignored. Call it in the transaction that does what is due then. */
  moveTo(time: number): void {
    if (time <= realNow() + this.#offset) return;
    this.#offset = time - realNow();
    this.#store.setSetting(setting, String(this.#offset));
  }

  /** Does work at a given moment: while it lasts the clock does not run, so that all of it has one time. */
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
