/** Replies of the API: stored ones for idempotency keys, and faults that are injected. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../core/store.ts';
import { StripeApiError } from '../errors.ts';
import type { Parameters } from './parameters.ts';

/** What happens to one of the next calls. Without a status, the connection is closed. */
export interface Fault {
  /** `before`: nothing is executed. `after`: the call is executed and only the reply is replaced. */
  when: 'before' | 'after';
  status?: number | undefined;
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

/** A stored reply. */
export interface Reply {
  status: number;
  body: string;
  requestId: string;
}

/** Keys expire after one day of real time, as at Stripe. */
const replyTtlMs = 86_400_000;
const longestKey = 255;

/** Identifies a request by method, path and parameters, regardless of the order of the parameters. */
export function requestFingerprint(method: string, path: string, parameters: Parameters): string {
  return `${method} ${path} ${JSON.stringify(sorted(parameters))}`;
}

/**
 * The stored reply for a key.
 * @throws StripeApiError 400 `idempotency_error` when the key was used for a different request, or is too long
 */
export function findReply(store: Store, key: string, request: string): Reply | undefined {
  if (key.length > longestKey) {
    throw new StripeApiError(400, {
      type: 'invalid_request_error',
      message: `Idempotency keys have at most ${longestKey} characters.`,
    });
  }
  store.run('DELETE FROM replies WHERE at < ?', Date.now() - replyTtlMs);
  const [row] = store.rows<{ request: string; request_id: string; status: number; body: string }>(
    'SELECT request, request_id, status, body FROM replies WHERE key = ?',
    key,
  );
  if (row === undefined) return undefined;
  if (row.request !== request) {
    throw new StripeApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { status: row.status, body: row.body, requestId: row.request_id };
}

/** Stores a reply; if the key already has one, that one stays. */
export function saveReply(store: Store, key: string, request: string, reply: Reply): void {
  store.run(
    'INSERT OR IGNORE INTO replies (key, request, request_id, at, status, body) VALUES (?, ?, ?, ?, ?, ?)',
    key,
    request,
    reply.requestId,
    Date.now(),
    reply.status,
    reply.body,
  );
}

/** 409: the first request with this key is still being processed. */
export function keyInUse(key: string): StripeApiError {
  return new StripeApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `Another request with the idempotency key '${key}' is under way.`,
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
