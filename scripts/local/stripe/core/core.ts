/** The context of every operation: store, clock and the recording of events. */
import { randomBytes } from 'node:crypto';
import { noSuch } from '../errors.ts';
import type { Kind, Kinds, Stored, StoredEvent } from '../objects.ts';
import { enqueueDeliveries } from '../webhooks/queue.ts';
import { Clock } from './clock.ts';
import type { Store } from './store.ts';

/** The API version of all objects. */
const apiVersion = '2026-10-28.endive';

/** The request that caused an event; both fields are null when the clock or a page caused it. */
interface Cause {
  id: string | null;
  idempotency_key: string | null;
}

const nobody: Cause = { id: null, idempotency_key: null };

/** How Stripe bills a subscription; among others, what a cancellation in the portal looks like. */
type BillingMode = 'flexible' | 'classic';

/** The state of one server. Operations are functions that take it as their first parameter. */
export class Core {
  readonly store: Store;
  readonly clock: Clock;
  /** The URL at which browsers reach this server; set once it listens. */
  origin = '';
  /** The secret of new webhook endpoints; undefined for a random one each. */
  webhookSecret: string | undefined;
  /** How many times each webhook is delivered; tests raise it to simulate duplicates. */
  copies = 1;
  /** The billing mode of new subscriptions. */
  billingMode: BillingMode = 'flexible';
  #cause: Cause = nobody;

  constructor(store: Store) {
    this.store = store;
    this.clock = new Clock(store);
  }

  now(): number {
    return this.clock.now();
  }

  /** Runs a function in one transaction, with the clock stopped; its events are attributed to `cause`. */
  perform<Result>(work: () => Result, cause: Cause = nobody): Result {
    const before = this.#cause;
    this.#cause = cause;
    try {
      return this.clock.at(this.now(), () => this.store.transaction(work));
    } finally {
      this.#cause = before;
    }
  }

  /** Reads an object. @throws StripeApiError 404, or 400 where `param` names the parameter that contained the id */
  getOrThrow<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const object = this.store.get(kind, id);
    if (object === undefined) throw noSuch(nameOf(kind), id, param);
    return object;
  }

  /** Stores a new object and records an event of the given type, if any. */
  create<T extends Stored>(object: T, eventType?: string): T {
    this.store.put(object);
    if (eventType !== undefined) this.record(eventType, object);
    return object;
  }

  /** Stores a changed object. With an event type, records what changed, unless nothing did. */
  change<T extends Stored>(before: T, changes: Partial<T>, eventType?: string): T {
    const after: T = { ...before, ...changes };
    const previous = previousAttributes({ ...before }, { ...after });
    if (previous === undefined) return before;
    this.store.put(after);
    if (eventType !== undefined) this.record(eventType, after, previous);
    return after;
  }

  /** Records an event and a delivery for each endpoint that is subscribed to its type. */
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

/** Generates an id like Stripe's, such as `cus_9f…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Calculates the `previous_attributes` of an update event. */
type Plain = Record<string, unknown>;

/**
 * The previous values of all fields that differ. For nested objects only the fields that differ, for arrays the whole
 * array, null for a new field.
 * @returns undefined when nothing differs
 */
function previousAttributes(before: Plain, after: Plain): Plain | undefined {
  const previous: Plain = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name], after[name]];
    if (isPlain(old) && isPlain(now)) {
      const nested = previousAttributes(old, now);
      if (nested !== undefined) previous[name] = nested;
    } else if (JSON.stringify(old) !== JSON.stringify(now)) {
      previous[name] = old ?? null;
    }
  }
  return Object.keys(previous).length === 0 ? undefined : previous;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
