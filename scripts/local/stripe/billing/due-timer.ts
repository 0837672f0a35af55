/** Does what becomes due while real time passes. */
import type { Core } from '../core/core.ts';
import { moveClock } from './timeline.ts';

/** The longest delay that a timer supports. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits until the next object is due. */
export class DueTimer {
  readonly #core: Core;
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Does everything that is due now, and waits for the next. An error is logged. */
  run(): void {
    try {
      moveClock(this.#core, this.#core.now());
      this.schedule();
    } catch (error) {
      console.error('local stripe: processing due objects failed:', error);
    }
  }

  /** Starts the timer for the next due object; must be called after every change of the store. */
  schedule(): void {
    clearTimeout(this.#timer);
    const next = this.#core.store.nextDue();
    if (next === undefined) return;
    const waitMs = Math.max(0, next.due - this.#core.now()) * 1000;
    this.#timer = setTimeout(() => this.run(), Math.min(waitMs, maxTimerMs));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
