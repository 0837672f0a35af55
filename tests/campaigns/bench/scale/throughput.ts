/** Images a second with one to eight workers, and how evenly they serve sellers, while more images wait than there are slots. */

import { cpus } from 'node:os';
import pLimit from 'p-limit';
import type { ControlSettings } from '#local/openai/control-client.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { type ProcessSamples, sampleProcesses } from '#tests/campaigns/load/samples.ts';
import { listAllGenerations } from '#tests/campaigns/support/rows.ts';
import { type CampaignStack, onStack } from '#tests/campaigns/support/stack.ts';
import { type BenchSeller, createBenchSeller } from '#tests/support/connected-seller.ts';
import { measureMachine } from './machine-use.ts';

const workerCounts = [1, 2, 4, 8];
/** How long the provider takes for an image, in ms. */
const providerMs = 2_000;
/** Few enough that two processors make the images of all workers with time to spare. */
const slotsPerWorker = 4;
/** How many images each slot makes before the measurement and in it. */
const [warmUpRounds, measuredRounds] = [4, 14];
/** Sellers who submit. What is counted of one seller is in one document, as it is in use. */
const sellers = 8;
/** Submissions at the same time. */
const submittedAtOnce = 4;
/** The least share of proportional. */
const aim = 0.95;
/** What the fairness of more workers may be below that of fewer ones. */
const fairnessSpread = 0.01;

interface Rate {
  workers: number;
  slots: number;
  images: number;
  seconds: number;
  /** Images that waited when the measurement ended. */
  waiting: number;
  /** How evenly the images that began were the sellers', who all wait for as many: 1 for as many of each (Jain's index). */
  fairness: number;
  /** Processor use of the workers, of the whole stack and of the machine, where 1 is one processor. */
  used: { workers: number; stack: number; machine: number };
}

/**
 * Submits all images before the first worker starts, then starts one worker after the other.
 * @param onRedis a queue on Redis instead of PostgreSQL
 * @returns whether the aim is met
 */
export async function benchWorkers(onRedis: boolean): Promise<boolean> {
  const settings = { WORKER_CONCURRENCY: String(slotsPerWorker) };
  return onStack({ workers: 0, onRedis, settings }, async (stack) => {
    const submitted = await submitAll(stack);
    console.log(
      `throughput: workers of ${slotsPerWorker} slots, provider ${providerMs / 1_000} s, queue ${stack.config.queueUrl.split(':')[0]}, ${submitted} images submitted before`,
    );
    const rates: Rate[] = [];
    let running = 0;
    for (const workers of workerCounts) {
      await stack.images.set(spreadCalls(workers * slotsPerWorker));
      for (; running < workers; running += 1) await stack.startWorker();
      rates.push(await measure(stack, submitted, workers));
    }
    return print(rates);
  });
}

/** @returns how many images were submitted: enough for all measurements, and some that still wait at the end */
async function submitAll(stack: CampaignStack): Promise<number> {
  const rounds = warmUpRounds + measuredRounds + 6;
  const slots = workerCounts.reduce((sum, workers) => sum + workers * slotsPerWorker, 0);
  const submitting: BenchSeller[] = [];
  for (let seller = 0; seller < sellers; seller += 1) submitting.push(await createBenchSeller(stack));
  const count = rounds * slots;
  await pLimit(submittedAtOnce).map(Array(count).keys(), async (index) => {
    await submitting[index % sellers]!.submit();
  });
  return count;
}

/**
 * The provider takes less for the next call of each slot, so that the slots do not all begin and end at the same moments: in
 * use they do not either.
 */
function spreadCalls(slots: number): ControlSettings {
  const slow = (ms: number) => ({ kind: 'slow', ms: Math.round(ms) }) as const;
  const behaviours = Array.from({ length: slots }, (_, index) => slow((providerMs * (index + 1)) / slots));
  return { behaviours, default: slow(providerMs) };
}

/** Measures over whole rounds of all slots, because slots that began together end together. */
async function measure(stack: CampaignStack, submitted: number, workers: number): Promise<Rate> {
  const { images } = stack;
  const slots = workers * slotsPerWorker;
  const begunBefore = (await images.state()).calls.length;
  const warm = await images.waitFor({ calls: begunBefore + slots * warmUpRounds });
  const from = Date.now();
  const samples = sampleProcesses(stack);
  const machine = measureMachine();
  // One round more, because as many calls are under way now.
  const { calls } = await images.waitFor({ calls: warm.calls.length + slots * (measuredRounds + 1) + 1 });
  const sampledSeconds = (Date.now() - from) / 1_000;
  const used = usedBy(samples, machine(), sampledSeconds);
  const rows = await listAllGenerations(stack.db);
  const ends = endsSince(rows, from);
  const count = slots * measuredRounds;
  const [first, last] = [ends[0], ends[count]];
  if (first === undefined || last === undefined) throw new Error(`only ${ends.length} images have ended`);
  return {
    workers,
    slots,
    images: count,
    seconds: (last - first) / 1_000,
    waiting: submitted - calls.length,
    fairness: fairnessSince(rows, from),
    used,
  };
}

function usedBy(samples: ProcessSamples, machine: number, seconds: number): Rate['used'] {
  const used = { workers: 0, stack: 0, machine: machine * cpus().length };
  for (const [name, ms] of samples.cpu()) {
    const share = ms / 1_000 / seconds;
    used.stack += share;
    if (name.startsWith('worker')) used.workers += share;
  }
  return used;
}

/** @returns when images ended since a time, in ms since 1970, the first one first. @throws Error when one has failed */
function endsSince(rows: readonly GenerationRow[], from: number): number[] {
  const ended = rows.filter((row) => row.ended_at !== null);
  const other = ended.find(({ state }) => state !== 'succeeded');
  if (other) throw new Error(`generation ${other._id} ended as ${other.state}`);
  const times = ended.map((row) => row.ended_at!.getTime()).filter((time) => time > from);
  return times.toSorted((one, next) => one - next);
}

/** @returns Jain's index of the images of each seller that began since a time */
function fairnessSince(rows: readonly GenerationRow[], from: number): number {
  const begun = rows.filter(({ started_at: at }) => at !== null && at.getTime() > from);
  const counts = [...Map.groupBy(begun, ({ profile }) => profile).values()].map(({ length }) => length);
  const squares = counts.reduce((sum, each) => sum + each ** 2, 0);
  return begun.length ** 2 / (sellers * squares);
}

/** @returns whether the aims are met */
function print(rates: readonly Rate[]): boolean {
  console.log(
    '    workers  slots  images  seconds  waiting  images/s  of proportional  of slots / 2 s  fairness  processors: workers  stack  machine',
  );
  const one = rates[0]!;
  const oneRate = one.images / one.seconds / one.workers;
  let isMet = true;
  for (const { workers, slots, images, seconds, waiting, fairness, used } of rates) {
    const rate = images / seconds;
    const ofProportional = rate / (workers * oneRate);
    isMet &&= ofProportional >= aim;
    const ofPossible = rate / (slots / (providerMs / 1_000));
    console.log(
      `    ${cell(workers, 7)}${cell(slots, 7)}${cell(images, 8)}${cell(seconds, 9, 1)}${cell(waiting, 9)}${cell(rate, 10, 2)}${cell(ofProportional, 17, 3)}${cell(ofPossible, 16, 3)}${cell(fairness, 10, 3)}${cell(used.workers, 21, 2)}${cell(used.stack, 7, 2)}${cell(used.machine, 9, 2)}`,
    );
  }
  const isFair = rates.every(
    ({ fairness }, index) => index === 0 || fairness >= rates[index - 1]!.fairness - fairnessSpread,
  );
  console.log(
    `    of ${cpus().length} processors; aim: ${aim} of proportional: ${isMet ? 'met' : 'MISSED'}; as fair with more workers: ${isFair ? 'met' : 'MISSED'}`,
  );
  return isMet && isFair;
}

const cell = (value: number, width: number, digits = 0) => value.toFixed(digits).padStart(width);
