import {
  createPostgresBackend,
  type Job,
  type Processor,
  Queue,
  type QueueOptions,
  RateLimitError,
  type Telemetry,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq';
import type { Config } from './config.ts';
import { laneOf, promotedPriority } from './priorities.ts';
import { createWorkerBackend } from './queue-backend.ts';
import { queueConnection, releasedOnClose } from './queue-connection.ts';
import { inTraceOf, type Trace } from './trace.ts';

/** The data of a job. Everything else is in the generation's row in MongoDB. */
export interface GenerationJob {
  generationId: string;
}

export type GenerationQueue = Queue<GenerationJob, string, 'generate'>;

/** Opens the queue to add and inspect jobs. @param telemetry records what happens to jobs */
export function openQueue(
  config: Pick<Config, 'queueUrl' | 'queueName'>,
  telemetry?: Telemetry,
): GenerationQueue {
  return openNamedQueue(config.queueUrl, config.queueName, {
    ...(telemetry && { telemetry }),
    defaultJobOptions: {
      // Unlimited in effect: the row limits provider calls, and waiting for the provider also counts as an attempt here.
      attempts: 1_000_000,
      // BullMQ would store the stack trace of each attempt.
      stackTraceLimit: 1,
      backoff: { type: 'later' },
      // The row has the outcome. A finished job that is kept would block adding another one with its id.
      removeOnComplete: true,
      removeOnFail: { age: 7 * 86_400, count: 1_000 },
    },
  });
}

/** Opens a queue on the store of an installation. */
export function openNamedQueue<Data, Name extends string>(
  queueUrl: string,
  queueName: string,
  options: Omit<QueueOptions, 'connection'>,
): Queue<Data, string, Name> {
  const store = queueConnection(queueUrl);
  if (store.kind === 'redis') {
    // Adding fails at once while Redis cannot be reached; upkeep adds the job later.
    const opened = store.open({ offline: false });
    const { connection } = opened;
    const queue = new Queue(queueName, { ...options, prefix: store.prefix, connection });
    return releasedOnClose(queue, opened) as unknown as Queue<Data, string, Name>;
  }
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  const { connection } = store;
  return new PostgresQueue(queueName, { ...options, connection }) as unknown as Queue<Data, string, Name>;
}

export type GenerationProcessor = (
  job: Job<GenerationJob, string, 'generate'>,
  token: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<string>;

/** Opens a worker on the queue. It takes jobs after `run()`. */
export function openQueueWorker(
  config: Pick<Config, 'queueUrl' | 'queueName' | 'worker'>,
  processor: GenerationProcessor,
  backoffMs: NonNullable<WorkerOptions['settings']>['backoffStrategy'],
  telemetry?: Telemetry,
): Worker<GenerationJob, string, 'generate'> {
  return openNamedWorker(config.queueUrl, config.queueName, processor, {
    ...(telemetry && { telemetry }),
    autorun: false,
    concurrency: config.worker.concurrency,
    lockDuration: config.worker.lockMs,
    stalledInterval: config.worker.lockMs,
    // worker/generate/generate.ts limits how many workers may die on one generation.
    maxStalledCount: 1_000,
    // close() does not interrupt a worker that sleeps because of the rate limit; this bounds the sleep below the grace
    // period.
    maximumRateLimitDelay: 1_000,
    settings: { backoffStrategy: backoffMs },
  });
}

/** Opens a worker on a queue of an installation. */
export function openNamedWorker<Data, Result, Name extends string>(
  queueUrl: string,
  queueName: string,
  processor: Processor<Data, Result, Name>,
  options: Omit<WorkerOptions, 'connection'>,
): Worker<Data, Result, Name> {
  const store = queueConnection(queueUrl);
  if (store.kind === 'redis') {
    const opened = store.open({ offline: true });
    const { connection } = opened;
    const worker = new Worker(queueName, processor, { ...options, prefix: store.prefix, connection });
    return releasedOnClose(closedForGood(worker), opened);
  }
  const { Worker: PostgresWorker } = withBackend(createWorkerBackend);
  const { connection } = store;
  const worker = new PostgresWorker<Data, Result, Name>(queueName, processor, { ...options, connection });
  return worker as unknown as Worker<Data, Result, Name>;
}

/** What BullMQ declares as private. */
interface Inside {
  backend: { blockingConnection: { disableBlockingClusterReconnect(): void } };
}

/**
 * Lets the connection on which a worker waits for jobs stay closed. In a cluster BullMQ takes the end of that wait for an outage and
 * connects once more, which can keep `close()` from ever ending.
 * @returns the worker
 */
function closedForGood<Part extends { close(...given: never[]): Promise<void> }>(worker: Part): Part {
  const close = worker.close.bind(worker);
  worker.close = (...given) => {
    (worker as unknown as Inside).backend.blockingConnection.disableBlockingClusterReconnect();
    return close(...given);
  };
  return worker;
}

/**
 * Adds the job of a generation. Idempotent: BullMQ ignores an id that it already has.
 * The job belongs to the trace of the generation, whoever adds it.
 * @param row its fence is part of the job's id, so that a later attempt is another job
 */
export async function addJob(
  queue: GenerationQueue,
  row: { _id: string; fence: number; priority: number; trace?: Trace },
): Promise<void> {
  // One that was claimed before has waited for its turn.
  const priority = row.fence > 0 ? promotedPriority(laneOf(row.priority)) : row.priority;
  const options = { jobId: jobId(row), priority };
  await inTraceOf(row, () => queue.add('generate', { generationId: row._id }, options));
}

/**
 * Gives the job of a generation that was never claimed the priority of its row. Nothing happens if it has none, or the job
 * has it already.
 */
export async function changeJobPriority(
  queue: GenerationQueue,
  row: { _id: string; fence: number; priority: number },
): Promise<void> {
  const job = await queue.getJob(jobId(row));
  if (job && job.priority !== row.priority) await job.changePriority({ priority: row.priority });
}

/** Lets a job that is retried go before the others of its lane: it has waited for its turn. */
export async function promoteRetry(job: Job<GenerationJob, string, 'generate'>): Promise<void> {
  await job.changePriority({ priority: promotedPriority(laneOf(job.priority)) });
}

/**
 * Pauses the queue for all workers, then lets them take one job at a time, until {@link releaseQueue}.
 * @param ms length of the pause
 * @param everyMs time between two jobs after it, in ms
 */
export async function throttleQueue(queue: GenerationQueue, ms: number, everyMs: number): Promise<void> {
  // BullMQ pauses only a queue that has a rate limit.
  await queue.setGlobalRateLimit(1, Math.max(1, Math.round(everyMs)));
  await queue.rateLimit(Math.max(1, Math.round(ms)));
}

/** Whether the queue is held, or was not yet released after a pause. */
export async function isQueueHeld(queue: GenerationQueue): Promise<boolean> {
  return (await queue.getGlobalRateLimit())?.max === 1;
}

/** A rate limit that limits nothing: BullMQ closes only a queue that has one. */
const noLimit = { max: 1_000_000_000, everyMs: 1_000 };

/** Closes the queue for all workers for a time in ms: nothing is taken, unless {@link reopenQueue} ends it. */
export async function pauseQueueFor(queue: GenerationQueue, ms: number): Promise<void> {
  if ((await queue.getGlobalRateLimit()) === null) {
    await queue.setGlobalRateLimit(noLimit.max, noLimit.everyMs);
  }
  await queue.rateLimit(Math.max(1, Math.round(ms)));
}

/** Ends a {@link pauseQueueFor} before its time. */
export async function reopenQueue(queue: GenerationQueue): Promise<void> {
  await queue.removeRateLimitKey();
}

/** Thrown by a processor so that its job goes back to its place in the queue, which was closed before. */
export function requeueError(): Error {
  return new RateLimitError();
}

/** Removes the pause and the rate limit of the queue. Idempotent. */
export async function releaseQueue(queue: GenerationQueue): Promise<void> {
  await queue.removeGlobalRateLimit();
}

/** The id of a generation's job. BullMQ refuses ids of digits only. */
export function jobId(row: { _id: string; fence: number }): string {
  return `generation-${row._id}-${row.fence}`;
}
