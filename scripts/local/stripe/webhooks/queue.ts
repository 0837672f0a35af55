/** The deliveries, which are stored in the same transaction as their event, and their results. */
import type { Store } from '../core/store.ts';
import type { Delivery, DeliveryAttempt, StoredEvent, WebhookEndpoint } from '../objects.ts';

/** A row of the deliveries table. `next_at` is real time in milliseconds. */
export interface DeliveryRow {
  id: number;
  event: string;
  type: string;
  endpoint: string;
  url: string;
  state: Delivery['state'];
  next_at: number;
  attempts: string;
}

/**
 * Stores a delivery for each endpoint that is subscribed to the event.
 * @returns the number of endpoints
 */
export function enqueueDeliveries(store: Store, event: StoredEvent, copies: number): number {
  const subscribed = store.list('webhook_endpoint').filter((endpoint) => isSubscribed(endpoint, event.type));
  for (const endpoint of subscribed.reverse()) {
    for (let copy = 0; copy < copies; copy += 1) enqueue(store, event, endpoint);
  }
  return subscribed.length;
}

/** Stores one more delivery of an event. */
export function enqueue(
  store: Store,
  event: Pick<StoredEvent, 'id' | 'type'>,
  endpoint: Pick<WebhookEndpoint, 'id' | 'url'>,
): void {
  store.run(
    `INSERT INTO deliveries (event, type, endpoint, url, state, next_at, attempts)
     VALUES (?, ?, ?, ?, 'pending', 0, '[]')`,
    event.id,
    event.type,
    endpoint.id,
    endpoint.url,
  );
}

function isSubscribed(endpoint: WebhookEndpoint, type: string): boolean {
  if (endpoint.status !== 'enabled') return false;
  return endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type);
}

/** All pending deliveries, in the order of their events. */
export function pendingDeliveries(store: Store): DeliveryRow[] {
  return store.rows<DeliveryRow>("SELECT * FROM deliveries WHERE state = 'pending' ORDER BY id");
}

/** The first deliveries that are due; `now` is real time in milliseconds. */
export function readyDeliveries(store: Store, now: number, limit: number): DeliveryRow[] {
  return store.rows<DeliveryRow>(
    "SELECT * FROM deliveries WHERE state = 'pending' AND next_at <= ? ORDER BY id LIMIT ?",
    now,
    limit,
  );
}

/** A pending delivery by its id. */
export function pendingDelivery(store: Store, id: number): DeliveryRow | undefined {
  return store.rows<DeliveryRow>("SELECT * FROM deliveries WHERE id = ? AND state = 'pending'", id)[0];
}

/** When the next delivery after `now` is due, in milliseconds; undefined when none is pending. */
export function nextDeliveryAt(store: Store, now: number): number | undefined {
  const [row] = store.rows<{ at: number | null }>(
    "SELECT min(next_at) AS at FROM deliveries WHERE state = 'pending' AND next_at > ?",
    now,
  );
  return row?.at ?? undefined;
}

/** How many deliveries up to an id are pending. */
export function countPending(store: Store, upTo: number): number {
  const [row] = store.rows<{ count: number }>(
    "SELECT count(*) AS count FROM deliveries WHERE state = 'pending' AND id <= ?",
    upTo,
  );
  return row?.count ?? 0;
}

/** Newest first. */
export function listDeliveries(store: Store, limit: number): Delivery[] {
  return store.rows<DeliveryRow>('SELECT * FROM deliveries ORDER BY id DESC LIMIT ?', limit).map(deliveryOf);
}

/** The deliveries of one event. */
export function deliveriesOfEvent(store: Store, event: string): Delivery[] {
  return store
    .rows<DeliveryRow>('SELECT * FROM deliveries WHERE event = ? ORDER BY id', event)
    .map(deliveryOf);
}

/** Stores the result of an attempt. */
export function saveAttempt(
  store: Store,
  row: DeliveryRow,
  attempt: DeliveryAttempt,
  state: Delivery['state'],
  nextAt: number,
): void {
  const attempts = [...(JSON.parse(row.attempts) as DeliveryAttempt[]), attempt];
  store.run(
    'UPDATE deliveries SET state = ?, next_at = ?, attempts = ? WHERE id = ?',
    state,
    nextAt,
    JSON.stringify(attempts),
    row.id,
  );
}

function deliveryOf({ next_at: _, ...row }: DeliveryRow): Delivery {
  return { ...row, attempts: JSON.parse(row.attempts) as DeliveryAttempt[] };
}
