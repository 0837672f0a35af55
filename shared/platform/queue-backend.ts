import type { EventEmitter } from 'node:events';
import { type createPostgresBackend, PostgresConnection, PostgresQueueBackend } from 'bullmq';

/** What BullMQ declares as private. */
interface Inside {
  /** @returns the connection that notifications come from */
  ensureListening(): Promise<EventEmitter>;
  run(command: string, values: unknown[]): Promise<{ rows: object[] }>;
}

/*
 * Before BullMQ's worker waits for a job, it asks once more whether one waits and when the next delayed one is due, although the
 * statement before has just said that: on PostgreSQL these are two of the six statements that a job costs. This backend asks only
 * when a job was announced since the last claim began, or when that claim may have left one
 * (docs/decisions/0126-what-rarely-changes-is-read-once-a-second.md).
 */
class SparingQueueBackend extends PostgresQueueBackend {
  /** Whether a job may wait that no claim has seen. */
  #mayHaveMore = true;
  /** What the last claim without a job was told of delayed ones, until the next claim begins. */
  #nextDelayed: { rows: object[] } | undefined;
  #listening: EventEmitter | undefined;

  constructor(...given: ConstructorParameters<typeof PostgresQueueBackend>) {
    super(...given);
    const inside = this as unknown as Inside;
    const ensureListening = inside.ensureListening.bind(inside);
    inside.ensureListening = async () => {
      const connection = await ensureListening();
      if (connection !== this.#listening) {
        this.#listening = connection;
        // What was announced before is not known.
        this.#mayHaveMore = true;
        connection.on('notification', ({ channel, payload }: { channel: string; payload?: string }) => {
          if (channel === jobsChannel && payload === this.queueName) this.#mayHaveMore = true;
        });
      }
      return connection;
    };
    const run = inside.run.bind(inside);
    inside.run = (command, values) => this.#run(run, command, values);
  }

  async #run(run: Inside['run'], command: string, values: unknown[]): Promise<{ rows: object[] }> {
    if (command === 'has_waiting_job' && !this.#mayHaveMore) return { rows: [{ present: false }] };
    if (command === 'next_delay' && this.#nextDelayed) return this.#nextDelayed;
    const isClaim = claims.has(command);
    if (isClaim) {
      this.#mayHaveMore = false;
      this.#nextDelayed = undefined;
    }
    try {
      const answer = await run(command, values);
      if (isClaim && answer.rows.length > 0) this.#mayHaveMore = true;
      if (command === 'next_signal') this.#heard(answer);
      return answer;
    } catch (error) {
      this.#mayHaveMore = true;
      throw error;
    }
  }

  /** @param answer why a claim got no job: the queue is held, or there is none, and when the next delayed one is due */
  #heard(answer: { rows: { rate_limit_ttl?: unknown }[] }): void {
    const isHeld = Number(answer.rows[0]?.rate_limit_ttl ?? 0) > 0;
    if (isHeld) this.#mayHaveMore = true;
    else this.#nextDelayed = answer;
  }
}

/** The statements that take a job. */
const claims: ReadonlySet<string> = new Set([
  'move_to_active',
  'move_to_completed_fetch',
  'move_to_failed_fetch',
]);

/** Where PostgreSQL announces jobs, as BullMQ names it. */
const jobsChannel = 'bullmq_jobs';

/** BullMQ's backend on PostgreSQL for a worker, with fewer statements. */
export const createWorkerBackend: typeof createPostgresBackend = (
  name,
  options,
  { withBlockingConnection } = {},
) => {
  const connection = new PostgresConnection(options.connection);
  // The name of the connection tells BullMQ which ones are workers.
  return new SparingQueueBackend(connection, name, options, true, withBlockingConnection ? name : undefined);
};
