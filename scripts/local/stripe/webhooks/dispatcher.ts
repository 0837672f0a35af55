/** Delivers webhooks: signed, in order, with retries when an endpoint does not accept them. */
import { createHash, createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Store } from '../core/store.ts';
import type { StoredEvent, WebhookEndpoint } from '../objects.ts';
import {
  countPending,
  type DeliveryRow,
  enqueue,
  nextDeliveryAt,
  pendingDeliveries,
  pendingDelivery,
  readyDeliveries,
  saveAttempt,
} from './queue.ts';

/** The order of pending deliveries: chronological, or shuffled with a seed. */
type DeliveryOrder = 'created' | { shuffle: number };

/** How webhooks are delivered. */
interface DispatchSettings {
  /** While true, nothing is delivered. */
  hold: boolean;
  order: DeliveryOrder;
  /** How many deliveries run at the same time. */
  parallel: number;
}

/** The timeout of one attempt. */
const attemptTimeoutMs = 10_000;
/** The delay between attempts doubles up to this limit. */
const maxRetryDelayMs = 60_000;

/** Delivers the pending webhooks of a store. */
export class Dispatcher {
  readonly settings: DispatchSettings = { hold: false, order: 'created', parallel: 1 };
  readonly #store: Store;
  readonly #retryMs: number;
  readonly #maxAttempts: number;
  readonly #now: () => number;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #running = new Map<number, Promise<void>>();
  readonly #closing = new AbortController();
  /** The ids that are left of a batch that was put into another order. */
  #batch: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param retryMs the delay before the second attempt; it doubles with each further attempt
   * @param maxAttempts a delivery is given up after this many
   * @param now real time in milliseconds; signatures use real time, whatever the server's clock says
   */
  constructor(
    store: Store,
    { retryMs, maxAttempts, now = Date.now }: { retryMs: number; maxAttempts: number; now?: () => number },
  ) {
    this.#store = store;
    this.#retryMs = retryMs;
    this.#maxAttempts = maxAttempts;
    this.#now = now;
  }

  /** Starts the deliveries that are possible now; must be called whenever that may have changed. */
  kick(): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    if (this.settings.hold) return;
    const now = this.#now();
    const free = this.settings.parallel - this.#running.size;
    if (free <= 0) return;
    for (const row of this.#nextRows(now, free)) {
      const delivery = this.#deliver(row).finally(() => {
        this.#running.delete(row.id);
        this.#changes.emit('change');
        this.kick();
      });
      this.#running.set(row.id, delivery);
    }
    const next = nextDeliveryAt(this.#store, now);
    if (next !== undefined) {
      this.#timer = setTimeout(() => this.kick(), next - now);
      this.#timer.unref();
    }
  }

  /** How many deliveries are pending. */
  pending(): number {
    return countPending(this.#store, Number.MAX_SAFE_INTEGER);
  }

  /** Changes the settings; releasing held webhooks starts their delivery. */
  configure(settings: { [Name in keyof DispatchSettings]?: DispatchSettings[Name] | undefined }): void {
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    Object.assign(this.settings, Object.fromEntries(given));
    this.#batch = [];
    this.#changes.emit('change');
    this.kick();
  }

  /** Adds copies of the pending deliveries, `copies` of each in all. */
  copyPending(copies: number): void {
    const counts = new Map<string, DeliveryRow[]>();
    for (const row of pendingDeliveries(this.#store)) {
      const key = `${row.event} ${row.endpoint}`;
      counts.set(key, [...(counts.get(key) ?? []), row]);
    }
    for (const rows of counts.values()) {
      const [row] = rows as [DeliveryRow];
      for (let have = rows.length; have < copies; have += 1) {
        enqueue(this.#store, { id: row.event, type: row.type }, { id: row.endpoint, url: row.url });
      }
    }
    this.kick();
  }

  /**
   * Waits until every delivery that exists now has been delivered or given up.
   * @returns how many are still pending: 0 unless they are held or `withinMs` has passed
   */
  async settled(withinMs: number, signal?: AbortSignal): Promise<number> {
    const [last] = this.#store.rows<{ id: number | null }>('SELECT max(id) AS id FROM deliveries');
    const limit = AbortSignal.any([
      AbortSignal.timeout(withinMs),
      this.#closing.signal,
      ...(signal === undefined ? [] : [signal]),
    ]);
    const left = () => countPending(this.#store, last?.id ?? 0);
    for (let pending = left(); pending > 0 && !this.settings.hold; pending = left()) {
      try {
        await once(this.#changes, 'change', { signal: limit });
      } catch {
        break;
      }
    }
    return this.#closing.signal.aborted ? 0 : left();
  }

  /** Stops. Deliveries in progress are aborted and repeated after the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await Promise.all(this.#running.values());
  }

  /**
   * The deliveries to start next. An order other than chronological is applied once to all pending ones, as a batch.
   */
  #nextRows(now: number, count: number): DeliveryRow[] {
    const free = (row: DeliveryRow) => !this.#running.has(row.id);
    if (this.settings.order === 'created') {
      return readyDeliveries(this.#store, now, this.#running.size + count)
        .filter(free)
        .slice(0, count);
    }
    const rows: DeliveryRow[] = [];
    while (rows.length < count) {
      if (this.#batch.length === 0) {
        const taken = (row: DeliveryRow) => rows.some(({ id }) => id === row.id);
        const waiting = readyDeliveries(this.#store, now, -1).filter((row) => free(row) && !taken(row));
        this.#batch = this.#inOrder(waiting).map(({ id }) => id);
      }
      const id = this.#batch.shift();
      if (id === undefined) break;
      // The endpoint may have been deleted since the batch was built.
      const row = pendingDelivery(this.#store, id);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  #inOrder(rows: DeliveryRow[]): DeliveryRow[] {
    const { order } = this.settings;
    if (order === 'created') return rows;
    const rank = ({ id }: DeliveryRow) => createHash('sha256').update(`${order.shuffle} ${id}`).digest('hex');
    const ranked = rows.map((row) => ({ row, rank: rank(row) }));
    ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
    return ranked.map(({ row }) => row);
  }

  async #deliver(row: DeliveryRow): Promise<void> {
    const endpoint = this.#store.get('webhook_endpoint', row.endpoint);
    const event = this.#store.get('event', row.event);
    if (endpoint === undefined || event === undefined) return;
    const at = this.#now();
    const attempt = { at, ...(await this.#post(row.url, endpoint, event)) };
    if (this.#closing.signal.aborted) return;
    const taken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const made = (JSON.parse(row.attempts) as unknown[]).length + 1;
    const state = taken ? 'delivered' : made >= this.#maxAttempts ? 'given-up' : 'pending';
    const wait = Math.min(maxRetryDelayMs, this.#retryMs * 2 ** (made - 1));
    saveAttempt(this.#store, row, attempt, state, this.#now() + wait);
  }

  async #post(
    url: string,
    endpoint: WebhookEndpoint,
    event: StoredEvent,
  ): Promise<{ status: number | null; error: string | null }> {
    const body = JSON.stringify(event, null, 2);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(body, endpoint.secret, Math.floor(this.#now() / 1000)),
          'user-agent': 'Stripe/1.0 (local)',
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(attemptTimeoutMs)]),
      });
      await response.body?.cancel();
      return { status: response.status, error: null };
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code;
      return { status: null, error: cause ?? (error as Error).message };
    }
  }
}

/** The `Stripe-Signature` header: HMAC-SHA256 over the time and the exact bytes of the body. */
function signatureOf(body: string, secret: string, time: number): string {
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${digest}`;
}
