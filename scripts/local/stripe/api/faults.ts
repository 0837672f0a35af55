/** Fault injection for the API: slow replies, errors and dropped connections. */
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to one of the next calls. Without a status, the connection is closed. */
export interface Fault {
  /** `before`: nothing is executed. `after`: the call is executed and only the reply is replaced. */
  when: 'before' | 'after';
  status?: number | undefined;
  code?: string | undefined;
  type?: string | undefined;
  message?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Affects only calls whose `METHOD /path` contains this text. */
  match?: string | undefined;
}

/** The faults that are queued. */
export class Faults {
  latencyMs = 0;
  #queue: Fault[] = [];

  /** Queues faults for the next calls that match. */
  add(faults: Fault[]): void {
    this.#queue.push(...faults);
  }

  /** Removes all faults and the latency. */
  reset(): void {
    this.latencyMs = 0;
    this.#queue = [];
  }

  /** How many faults are still queued. */
  get left(): number {
    return this.#queue.length;
  }

  /** Takes the fault for this call from the queue, after waiting for the configured latency. */
  async next(method: string, path: string): Promise<Fault | undefined> {
    const index = this.#queue.findIndex(
      ({ match }) => match === undefined || `${method} ${path}`.includes(match),
    );
    const [fault] = index === -1 ? [] : this.#queue.splice(index, 1);
    if (this.latencyMs > 0) await wait(this.latencyMs);
    return fault;
  }
}
