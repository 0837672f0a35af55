/** One of the installations whose costs are compared, with what was measured of it. */
import { randomUUID } from 'node:crypto';
import type { Job, Worker } from 'bullmq';
import { claimGeneration, endRunning } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import {
  type GenerationJob,
  type GenerationQueue,
  openQueue,
  openQueueWorker,
} from '#shared/platform/queue.ts';
import { type CampaignStack, startCampaignStack } from '#tests/campaigns/support/stack.ts';
import { cpuMs } from '#tests/support/process-usage.ts';
import { failed } from '#worker/generate/attempt.ts';
import { addWaiting, type Filled, fill, slots } from './fill.ts';

export interface Installation {
  stack: CampaignStack;
  queue: GenerationQueue;
  /** It takes a job only when it is told to. */
  worker: Worker<GenerationJob, string, 'generate'>;
  filled: Filled;
  costs: Costs;
  /** Ends it and removes what it has. */
  close(): Promise<void>;
}

/** What was measured, by what was done. All times are in ms. */
export class Costs {
  /** How long each one took. */
  readonly times = new Map<string, number[]>();
  /** Processor time of one, on average of each round: what happens once a minute beside it is in one round. */
  readonly processor = new Map<string, number[]>();

  addTime(what: string, ms: number): void {
    add(this.times, what, ms);
  }

  /** @param ms processor time of `count` together */
  addProcessorTime(what: string, ms: number, count: number): void {
    add(this.processor, what, ms / count);
  }
}

function add(lists: Map<string, number[]>, what: string, value: number): void {
  const list = lists.get(what) ?? [];
  lists.set(what, list);
  list.push(value);
}

/** Starts an installation and fills it. @param size how many times as large as the small one */
export async function install(size: number, onRedis: boolean): Promise<Installation> {
  const { stack, close } = await startCampaignStack({ workers: 0, onRedis });
  const queue = openQueue(stack.config);
  const worker = openQueueWorker(
    stack.config,
    async () => '',
    () => 0,
  );
  stack.onClose(() => queue.close());
  stack.onClose(() => queue.obliterate({ force: true }));
  stack.onClose(() => worker.close());
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const filled = await fill(stack, queue, size);
  const installation = { stack, queue, worker, filled, costs: new Costs(), close };
  const made: GenerationRow[] = [];
  for (let slot = 0; slot < slots; slot += 1) made.push((await takeAndClaim(installation)).row);
  await waitInstead(installation, made);
  return installation;
}

/** How long a claim holds a generation, in ms: longer than the measurements. */
export const leaseMs = 3_600_000;

interface Claimed {
  job: Job<GenerationJob, string, 'generate'>;
  /** With what the job was taken. */
  token: string;
  row: GenerationRow;
  /** How long BullMQ took for the next job, and then the claim of its generation, in ms. */
  takingMs: number;
  claimMs: number;
}

/** What a worker with a free slot does: takes the next job and claims its generation. @throws Error if there is none */
export async function takeAndClaim({ stack, worker }: Installation): Promise<Claimed> {
  const token = randomUUID();
  const began = performance.now();
  const job = (await worker.getNextJob(token, { block: false })) as Claimed['job'] | undefined;
  const taken = performance.now();
  if (!job) throw new Error('no job waits');
  const claim = await claimGeneration(stack.db, job.data.generationId, leaseMs, stack.config.image.previews);
  const claimed = performance.now();
  if (claim.outcome !== 'claimed') throw new Error(`${job.data.generationId} was ${claim.outcome}`);
  return { job, token, row: claim.row, takingMs: taken - began, claimMs: claimed - taken };
}

/** Ends images that were claimed, so that as many are made as before. */
export async function endClaimed({ stack }: Installation, claimed: readonly GenerationRow[]): Promise<void> {
  for (const { _id: generationId, fence } of claimed) {
    await endRunning(stack.db, { generationId, fence }, failed('TIMED_OUT', 'the benchmark'));
  }
}

/** Adds as many images as were claimed, with the same priorities, so that as many wait as before. */
export async function waitInstead(
  { stack, queue }: Installation,
  claimed: readonly GenerationRow[],
): Promise<void> {
  const created_at = new Date();
  const like = ({ profile, prompt, priority }: GenerationRow) => ({ profile, prompt, priority, created_at });
  await addWaiting(stack.db, queue, claimed.map(like));
}

/** Processor time of the server and the stores so far, in ms. */
export function processorTime({ stack }: Installation): number {
  const own = stack.processes.filter(({ name }) => ['server', 'mongo', 'queue'].includes(name));
  return own.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
}
