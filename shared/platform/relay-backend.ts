import type { EventEmitter } from 'node:events';
import { type PostgresConnectionOptions, PostgresRelayBackend, type RelayBackendOptions } from 'bullmq';

/** The part of a lease for which it is not renewed again. */
const renewedPart = 0.1;

/** How often an inbox that is being read is trimmed, in ms. */
const trimMs = 1_000;

/** A message to be published, and who waits for that. */
interface Message {
  topic: string;
  data: string;
  opts: Parameters<PostgresRelayBackend['publish']>[2];
  done: PromiseWithResolvers<Published>;
}
type Published = Awaited<ReturnType<PostgresRelayBackend['publish']>>;

/** Publishes several messages in their order, as BullMQ's own statement does one. */
const publishAll = `SELECT published.message_id, published.node_count, published.endpoint_count
  FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS message (topic, data, ts, place)
  CROSS JOIN LATERAL relay_publish($1, message.topic, message.data, message.ts, 0, $5) AS published
  ORDER BY message.place`;

/** What BullMQ declares as private. */
interface Inside {
  connection: { pool: { query(text: string, values: unknown[]): Promise<{ rows: PublishedRow[] }> } };
  /** @returns the connection that notifications come from */
  ensureListening(): Promise<EventEmitter>;
  /** Removes what was read, and reads what is there, at most `count` entries. */
  readRows(nodeId: string, read: string[], count: number): Promise<unknown[]>;
}

interface PublishedRow {
  message_id: string;
  node_count: number;
  endpoint_count: number;
}

/*
 * BullMQ's relay renews the lease and trims the inbox for every event, besides doing both at regular times, and reads the
 * inbox once more after every reading that found something, in which it removes what it found. On PostgreSQL these are three
 * of the five statements that an event costs each server, and the first one delays it
 * (docs/decisions/0076-cost-of-a-generation.md).
 */
class SparingRelayBackend extends PostgresRelayBackend {
  /** When the lease was last renewed, by `performance.now()`, which goes on while the process is suspended. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #trimmedAt = Number.NEGATIVE_INFINITY;
  #backlog = 0;
  /** Entries that were read and are not removed yet: the next reading or trimming removes them. */
  #read: string[] = [];
  #messages: Message[] = [];

  constructor(options: RelayBackendOptions<PostgresConnectionOptions>) {
    super(options);
    this.#readWhatIsNew(this as unknown as Inside);
  }

  /** Messages that are published in the same turn of the event loop are one statement. */
  override publish(topic: string, data: string, opts: Message['opts']): Promise<Published> {
    const done = Promise.withResolvers<Published>();
    this.#messages.push({ topic, data, opts, done });
    if (this.#messages.length === 1) setImmediate(() => void this.#publishMessages());
    return done.promise;
  }

  async #publishMessages(): Promise<void> {
    // By topic, because the statement locks them one after the other: two processes that lock the same ones never wait for each other.
    const messages = this.#messages
      .splice(0)
      .toSorted((one, two) => (one.topic < two.topic ? -1 : Number(one.topic > two.topic)));
    const [first] = messages;
    if (messages.length > 1 && messages.every(({ opts }) => opts.retainMs === 0)) {
      try {
        const { rows } = await (this as unknown as Inside).connection.pool.query(publishAll, [
          this.namespace,
          messages.map(({ topic }) => topic),
          messages.map(({ data }) => data),
          messages.map(({ opts }) => opts.ts),
          first!.opts.maxSize,
        ]);
        for (const [index, { done }] of messages.entries()) {
          const { message_id: mid, node_count: nodes, endpoint_count: endpoints } = rows[index]!;
          done.resolve({ mid: String(mid), nodes, endpoints });
        }
        return;
      } catch {
        // One of them was refused, such as for its size, and so were all.
      }
    }
    for (const ofTopic of Map.groupBy(messages, ({ topic }) => topic).values())
      void this.#publishOneByOne(ofTopic);
  }

  /** In their order: statements at the same time could pass each other. */
  async #publishOneByOne(messages: readonly Message[]): Promise<void> {
    for (const { topic, data, opts, done } of messages) {
      await super.publish(topic, data, opts).then(done.resolve, done.reject);
    }
  }

  /** Whether a lease is kept needs no statement just after it was renewed: it ends later than that, or not at all. */
  override async heartbeat(nodeId: string, leaseMs: number): Promise<boolean> {
    const now = performance.now();
    if (now - this.#renewedAt < leaseMs * renewedPart) return true;
    const isAlive = await super.heartbeat(nodeId, leaseMs);
    this.#renewedAt = isAlive ? now : Number.NEGATIVE_INFINITY;
    return isAlive;
  }

  /** Reading removes what was consumed; this only limits what was not. */
  override async trimInbox(nodeId: string, cursor: string, maxLength: number): Promise<number> {
    const now = performance.now();
    if (now - this.#trimmedAt >= trimMs) {
      const read = [...new Set([...(cursor ? cursor.split(',') : []), ...this.#read])];
      this.#backlog = await super.trimInbox(nodeId, read.join(','), maxLength);
      this.#trimmedAt = now;
    }
    return this.#backlog;
  }

  /**
   * Reads the inbox only when something was announced since the last reading began, or when that one may have left
   * something; otherwise BullMQ waits for the announcement, as it does after a reading that found nothing.
   */
  #readWhatIsNew(inside: Inside): void {
    const ensureListening = inside.ensureListening.bind(inside);
    const readRows = inside.readRows.bind(inside);
    let connection: EventEmitter | undefined;
    let own: string | undefined;
    let mayHaveMore = true;
    inside.ensureListening = async () => {
      const listening = await ensureListening();
      if (listening !== connection) {
        connection = listening;
        // What was announced before is not known.
        mayHaveMore = true;
        listening.on('notification', ({ payload }: { payload?: string }) => {
          mayHaveMore ||= payload === own;
        });
      }
      return listening;
    };
    inside.readRows = async (nodeId, read, count) => {
      own = `${this.namespace}:${nodeId}`;
      const removing = [...this.#read, ...read];
      this.#read = removing;
      if (read.length > 0 && !mayHaveMore) return [];
      mayHaveMore = false;
      try {
        const rows = await readRows(nodeId, removing, count);
        this.#read = this.#read.slice(removing.length);
        mayHaveMore ||= rows.length === count;
        return rows;
      } catch (error) {
        mayHaveMore = true;
        throw error;
      }
    };
  }
}

/** BullMQ's relay on PostgreSQL with less than half of the statements. */
export const createRelayBackend = (
  options: RelayBackendOptions<PostgresConnectionOptions>,
): SparingRelayBackend => new SparingRelayBackend(options);
