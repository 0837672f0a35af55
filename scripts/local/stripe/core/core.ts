/** What every operation works with: the store, the clock, and the events that tell of each change. */
import { noSuch } from '../errors.ts';
import type { Kind, Kinds, Stored, StoredEvent } from '../objects.ts';
import { enqueueDeliveries } from '../webhooks/queue.ts';
import { Clock } from './clock.ts';
import { previousAttributes } from './difference.ts';
import { newId, type Store } from './store.ts';

/** The API version all objects have. */
export const apiVersion = '2026-10-28.endive';

/** Which request an event comes from; both null for what the clock or a page did. */
export interface Cause {
  id: string | null;
  idempotency_key: string | null;
}

const nobody: Cause = { id: null, idempotency_key: null };

/** One server's state. Operations are functions that take it first. */
export class Core {
  readonly store: Store;
  readonly clock: Clock;
  /** Where browsers reach this server, such as `http://127.0.0.1:4242`; known when it listens. */
  origin = '';
  /** What a new webhook is signed with; undefined for a random secret each. */
  webhookSecret: string | undefined;
  /** How many times each webhook is delivered: more than once only when a test asks for duplicates. */
  copies = 1;
  #cause: Cause = nobody;

  constructor(store: Store) {
    this.store = store;
    this.clock = new Clock(store);
  }

  now(): number {
    return this.clock.now();
  }

  /** Does work as one transaction at one moment of the clock, with its events put down to a request. */
  perform<Result>(work: () => Result, cause: Cause = nobody): Result {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return this.clock.at(this.now(), () => this.store.transaction(work));
    } finally {
      this.#cause = before;
    }
  }

  /** Reads an object. @throws StripeApiError 404, or 400 where `param` names the parameter that held the id */
  need<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const object = this.store.get(kind, id);
    if (object === undefined) throw noSuch(nameOf(kind), id, param);
    return object;
  }

  /** Keeps a new object and tells of it where an event type is given. */
  create<T extends Stored>(object: T, eventType?: string): T {
    this.store.put(object);
    if (eventType !== undefined) this.record(eventType, object);
    return object;
  }

  /** Keeps the changed object. With an event type, tells what changed, unless nothing did. */
  change<T extends Stored>(before: T, changes: Partial<T>, eventType?: string): T {
    const after: T = { ...before, ...changes };
    const previous = previousAttributes({ ...before }, { ...after });
    if (previous === undefined) return before;
    this.store.put(after);
    if (eventType !== undefined) this.record(eventType, after, previous);
    return after;
  }

  /** Writes an event down, with a delivery for each endpoint that wants its type. */
  record(type: string, object: object, previous?: Record<string, unknown>): StoredEvent {
    const event: StoredEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: this.now(),
      data: {
        object: structuredClone(object) as Record<string, unknown>,
        ...(previous === undefined ? {} : { previous_attributes: previous }),
      },
      livemode: false,
      pending_webhooks: 0,
      request: this.#cause,
      type,
    };
    event.pending_webhooks = enqueueDeliveries(this.store, event, this.copies);
    this.store.put(event);
    return event;
  }
}

function nameOf(kind: Kind): string {
  const names: Partial<Record<Kind, string>> = {
    payment_method: 'PaymentMethod',
    'checkout.session': 'checkout.session',
  };
  return names[kind] ?? kind.replaceAll('_', ' ');
}
