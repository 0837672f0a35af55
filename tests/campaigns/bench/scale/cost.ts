/** What lists, places in line and claims cost in a small installation, and in one that is many times as large. */
import { Agent } from 'node:http';
import { paths } from '#contract';
import { connectDb, ping } from '#shared/data/connect.ts';
import { longestUse, queuePosition, readQueueOrder } from '#shared/data/generations/queue-position.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { median, ms } from '#tests/support/statistics.ts';
import { get } from '../list.ts';
import { base } from './fill.ts';
import {
  Costs,
  endClaimed,
  type Installation,
  install,
  processorTime,
  takeAndClaim,
  waitInstead,
} from './installation.ts';
import { printPlans } from './plans.ts';

/** The most that something may cost in it, as a multiple of what it costs in the first one. */
const aim = 1.3;
/** The two are measured in turn, so many times. */
const rounds = 11;
/** Requests of each kind, and claims, in a round. */
const [requests, claims] = [40, 60];

/** @param factor how large the second installation is, as a multiple of the first @returns whether the aim is met */
export async function benchGrowth(onRedis: boolean, factor: number): Promise<boolean> {
  const installations: Installation[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (const size of [1, factor]) {
      const began = performance.now();
      installations.push(await install(size, onRedis));
      console.log(`filled ${size} × in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
    }
    const [small, large] = installations as [Installation, Installation];
    for (let round = 0; round <= rounds; round += 1) {
      for (const installation of installations) {
        await measure(installation, agent);
        // The first round was to warm up.
        if (round === 0) installation.costs = new Costs();
      }
    }
    const { rows, sellers, waiting } = base;
    const queue = small.stack.config.queueUrl.split(':')[0];
    console.log(
      `cost: ${rows} rows, ${sellers} sellers and ${waiting} waiting jobs, and ${factor} times as many; queue ${queue}; medians of ${rounds} rounds in turn`,
    );
    const isMet = print(small.costs, large.costs, factor);
    await printReading(small, large, factor);
    for (const installation of installations) {
      console.log(`    plans at ${installation === small ? 1 : factor} × (keys/documents examined)`);
      await printPlans(installation);
    }
    return isMet;
  } finally {
    agent.destroy();
    for (const { close } of installations) await close();
  }
}

/** One round of everything. */
async function measure(installation: Installation, agent: Agent): Promise<void> {
  const { stack, filled } = installation;
  const { usual, large, last } = filled;
  const ask = async (what: string, path: string, token: string) => {
    const before = processorTime(installation);
    for (let index = 0; index < requests; index += 1) {
      const began = performance.now();
      await get(agent, stack.url + path, token);
      installation.costs.addTime(what, performance.now() - began);
    }
    installation.costs.addProcessorTime(what, processorTime(installation) - before, requests);
  };
  await ask('list of a usual seller', paths.generations, usual.token);
  await ask('list of the large seller', paths.generations, large.token);
  await ask('library of the large seller', paths.library, large.token);
  await ask('search of the large seller', `${paths.library}?q=mug+7`, large.token);
  await ask('the last image in line, with its place', paths.generation(last._id), usual.token);
  await measureFirstPlace(installation);
  await measureClaims(installation);
}

/** The place in line for a process that knows nothing yet. */
async function measureFirstPlace({ stack, filled, costs }: Installation): Promise<void> {
  const db = await connectDb(stack.config.mongodbUrl);
  try {
    await ping(db);
    const began = performance.now();
    await queuePosition(db, filled.last);
    costs.addTime('the place alone, in a new process', performance.now() - began);
  } finally {
    await db.close();
  }
}

/** A worker with a free slot. Afterwards as many images wait as before. */
async function measureClaims(installation: Installation): Promise<void> {
  const { costs } = installation;
  const whole = 'from a free slot to a claimed image';
  const claimed: GenerationRow[] = [];
  const before = processorTime(installation);
  for (let index = 0; index < claims; index += 1) {
    const { job, token, row, takingMs, claimMs } = await takeAndClaim(installation);
    costs.addTime(whole, takingMs + claimMs);
    costs.addTime('  of it: BullMQ takes the job', takingMs);
    costs.addTime('  of it: the claim', claimMs);
    claimed.push(row);
    await job.moveToCompleted('', token, false);
  }
  costs.addProcessorTime(whole, processorTime(installation) - before, claims);
  await endClaimed(installation, claimed);
  await waitInstead(installation, claimed);
}

/** @returns whether the aim is met, by times and by processor times */
function print(small: Costs, large: Costs, factor: number): boolean {
  const ratios: number[] = [];
  const cells = (one: number, other: number) => {
    ratios.push(other / one);
    return `${ms(one).padStart(10)}${ms(other).padStart(10)}${(other / one).toFixed(2).padStart(8)}`;
  };
  const head = `${'1 ×'.padStart(10)}${`${factor} ×`.padStart(10)}${'ratio'.padStart(8)}`;
  console.log(`    ${''.padEnd(40)}${head}    processor ${head.slice(5)}`);
  for (const [what, times] of small.times) {
    const time = cells(median(times), median(large.times.get(what)!));
    const [one, other] = [small.processor.get(what), large.processor.get(what)];
    const processor = one && other ? `     ${cells(median(one), median(other))}` : '';
    console.log(`    ${what.padEnd(40)}${time}${processor}`);
  }
  const isMet = ratios.every((ratio) => ratio <= aim);
  console.log(
    `    processor: time of the server and the stores together; aim: ratios of at most ${aim}: ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet;
}

/** How long it takes to read who waits: every process reads a short queue, and one process a long one for all of them. */
async function printReading(small: Installation, large: Installation, factor: number): Promise<void> {
  const timeOf = async ({ stack: { db } }: Installation) => {
    const times: number[] = [];
    for (let reading = 0; reading < 7; reading += 1) {
      const began = performance.now();
      await readQueueOrder(db);
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const [one, other] = [await timeOf(small), await timeOf(large)];
  const every = (waiting: number) => `at most every ${(longestUse(waiting) / 1_000).toFixed(2)} s`;
  console.log(
    `    the order of all that wait, read in the background: 1 × ${ms(one)}, by each process ${every(base.waiting)}; ${factor} × ${ms(other)}, by one process for all ${every(base.waiting * factor)}`,
  );
}
