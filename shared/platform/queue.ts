import {
  createPostgresBackend,
  type Job,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq';
import { type PlanId, plans } from '#contract';
import type { Config } from './config.ts';

/** What a job carries: the row in MongoDB is the truth. */
export interface GenerationJob {
  generationId: string;
}

export type GenerationQueue = Queue<GenerationJob, string, 'generate'>;

/** Where BullMQ keeps things, by the scheme of `QUEUE_URL`. */
export type QueueConnection =
  | { kind: 'redis'; connection: { url: string; maxRetriesPerRequest: null; enableOfflineQueue?: boolean } }
  | { kind: 'postgres'; connection: { connectionString: string; migrate: true } };

/** Reads the scheme of a queue's URL. */
export function queueConnection(queueUrl: string): QueueConnection {
  return /^postgres(ql)?:/.test(queueUrl)
    ? { kind: 'postgres', connection: { connectionString: queueUrl, migrate: true } }
    : { kind: 'redis', connection: { url: queueUrl, maxRetriesPerRequest: null } };
}

/** Opens the queue for adding jobs and for looking at them. */
export function openQueue(config: Pick<Config, 'queueUrl' | 'queueName'>): GenerationQueue {
  const store = queueConnection(config.queueUrl);
  const options: Omit<QueueOptions, 'connection'> = {
    defaultJobOptions: {
      // How often the provider is called is decided in the row; these are the times that a job may be taken up.
      attempts: 1_000_000,
      // Taken up again, a job is in order: what it said before tells nobody anything, and all of it would be kept.
      stackTraceLimit: 1,
      backoff: { type: 'later' },
      // The row says how it ended; a job that stays behind would keep its id from being added again.
      removeOnComplete: true,
      removeOnFail: { age: 7 * 86_400, count: 1_000 },
    },
  };
  if (store.kind === 'redis') {
    return new Queue(config.queueName, {
      ...options,
      // Adding fails at once while Redis is away: the row is there, and the reconciler adds the job later.
      connection: { ...store.connection, enableOfflineQueue: false },
    });
  }
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue<GenerationJob, string, 'generate'>(config.queueName, {
    ...options,
    connection: store.connection,
  }) as unknown as GenerationQueue;
}

export type GenerationProcessor = (
  job: Job<GenerationJob, string, 'generate'>,
  token: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<string>;

/** Opens a worker on the queue; it runs once `run()` is called. */
export function openQueueWorker(
  config: Pick<Config, 'queueUrl' | 'queueName' | 'worker'>,
  processor: GenerationProcessor,
  backoffMs: NonNullable<WorkerOptions['settings']>['backoffStrategy'],
): Worker<GenerationJob, string, 'generate'> {
  const store = queueConnection(config.queueUrl);
  const options: Omit<WorkerOptions, 'connection'> = {
    autorun: false,
    concurrency: config.worker.concurrency,
    lockDuration: config.worker.lockMs,
    stalledInterval: config.worker.lockMs,
    // How often a worker may die under a generation is decided in its row (worker/generate.ts), not here.
    maxStalledCount: 1_000,
    // A worker that is closed while the queue is held may sleep to the end of this (BullMQ begins a sleep that close() no
    // longer ends): seconds would outlast the grace period.
    maximumRateLimitDelay: 1_000,
    settings: { backoffStrategy: backoffMs },
  };
  if (store.kind === 'redis') {
    return new Worker(config.queueName, processor, { ...options, connection: store.connection });
  }
  const { Worker: PostgresWorker } = withBackend(createPostgresBackend);
  return new PostgresWorker<GenerationJob, string, 'generate'>(config.queueName, processor, {
    ...options,
    connection: store.connection,
  }) as unknown as Worker<GenerationJob, string, 'generate'>;
}

/**
 * The priority of a seller's next generation: by plan, then by how many generations the seller has waiting, so that a
 * seller with many does not starve a seller with one.
 * @param underWay the seller's other generations that are queued or running
 * @returns BullMQ's priority; smaller goes first
 */
export function queuePriority(plan: PlanId, underWay: number): number {
  return plans[plan].firstPriority + Math.min(underWay, 9_998);
}

/**
 * Adds the job of a generation. BullMQ ignores an id that it has already, so adding twice is harmless.
 * @param row its fence tells a job that is added again from one that has ended
 */
export async function addJob(
  queue: GenerationQueue,
  row: { _id: string; fence: number; priority: number },
): Promise<void> {
  await queue.add('generate', { generationId: row._id }, { jobId: jobId(row), priority: row.priority });
}

/**
 * Lets no worker take a job for a while, and afterwards one job at a time, until {@link releaseQueue}.
 * @param ms the while
 * @param everyMs the time from one job to the next after it
 */
export async function holdQueue(queue: GenerationQueue, ms: number, everyMs: number): Promise<void> {
  // BullMQ heeds the first only where there is a limit, so the limit comes first.
  await queue.setGlobalRateLimit(1, Math.max(1, Math.round(everyMs)));
  await queue.rateLimit(Math.max(1, Math.round(ms)));
}

/** Lets workers take jobs as fast as they can. @returns false when they could already */
export async function releaseQueue(queue: GenerationQueue): Promise<boolean> {
  if ((await queue.getGlobalRateLimit()) === null) return false;
  await queue.removeGlobalRateLimit();
  return true;
}

/** The id of a generation's job; never digits alone, which BullMQ refuses. */
export function jobId(row: { _id: string; fence: number }): string {
  return `generation-${row._id}-${row.fence}`;
}
