/** The ways the API can be made to go wrong: slow answers, errors, cut connections. */
import { setTimeout as wait } from 'node:timers/promises';

/** What one of the next calls does. Without a status the connection is cut. */
export interface Fault {
  /** `before` nothing is done; `after` everything is done and only the answer is wrong. */
  when: 'before' | 'after';
  status?: number | undefined;
  code?: string | undefined;
  type?: string | undefined;
  message?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Only calls whose `METHOD /path` contains this text. */
  match?: string | undefined;
}

/** The faults to come. */
export class Faults {
  latencyMs = 0;
  #queue: Fault[] = [];

  /** Adds faults for the next calls that match. */
  add(faults: Fault[]): void {
    this.#queue.push(...faults);
  }

  /** All calls are answered at once and rightly again. */
  reset(): void {
    this.latencyMs = 0;
    this.#queue = [];
  }

  /** How many faults have not happened yet. */
  get left(): number {
    return this.#queue.length;
  }

  /** The fault of this call, taken from the queue; waits as long as the server is to be slow. */
  async next(method: string, path: string): Promise<Fault | undefined> {
    const index = this.#queue.findIndex(
      ({ match }) => match === undefined || `${method} ${path}`.includes(match),
    );
    const [fault] = index === -1 ? [] : this.#queue.splice(index, 1);
    if (this.latencyMs > 0) await wait(this.latencyMs);
    return fault;
  }
}
