/** One run: sellers at work, faults that begin and end meanwhile, and the wait until everything has come to rest. */
import { setTimeout as wait } from 'node:timers/promises';
import type { GenerationState } from '#contract';
import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import { createRandom, type Random } from '#tests/support/random.ts';
import type { Fault } from './fault.ts';
import type { Violation } from './invariants.ts';
import { awaitIdle, type RestSources, rememberChecked } from './rest.ts';
import { drawAction } from './sellers/actions.ts';
import { type ChaosSeller, createChaosSeller } from './sellers/seller.ts';

export interface RunOptions {
  seed: number;
  /** What is drawn from. */
  faults: readonly Fault[];
  /** Whether the sellers' windows resync. */
  resyncs: boolean;
}

export interface RunResult {
  seed: number;
  /** The faults, with the times at which they began and had ended, in ms after the run began. */
  faults: { name: string; beganMs: number; endedMs: number }[];
  /** What each seller did, in order. */
  actions: string[];
  violations: Violation[];
  /** From the end of the last fault and action until everything had come to rest, in ms. */
  restMs: number;
  /** The whole run, in ms. */
  runMs: number;
  /** Generations by their state at the end. */
  endings: Partial<Record<GenerationState, number>>;
}

/** Sellers are at work for this long, and faults begin in it, in ms. */
const workMs = 800;
/** The shortest and the longest fault, in ms; what it needs to begin and end, such as a restart, comes in addition. */
const [shortestFaultMs, longestFaultMs] = [30, 700];
/** How long it may take until everything has come to rest. */
const restBoundMs = 20_000;

/** What a campaign works on and reads from. */
export interface Sources extends RestSources {
  stack: ProxiedStack;
}

/** Carries out one run, and waits until everything has come to rest, or the time for that is over. */
export async function runOnce(sources: Sources, options: RunOptions): Promise<RunResult> {
  const random = createRandom(options.seed);
  const sellers = await createSellers(sources, random.fork(), options.resyncs);
  const began = performance.now();
  const now = () => Math.round(performance.now() - began);
  const faultRandom = random.fork();
  const workRandoms = sellers.map(() => random.fork());
  try {
    const drawn = drawFaults(options.faults, faultRandom);
    const [faults] = await Promise.all([
      Promise.all(drawn.map((fault) => carryOut(sources, fault, now))),
      ...sellers.map((seller, index) => work(sources, seller, workRandoms[index]!, now)),
    ]);
    const ended = await restartEnded(sources);
    const { violations: found, restMs, rest } = await awaitIdle(sources, sellers, restBoundMs);
    const violations = [...ended, ...found];
    rememberChecked(sources, rest);
    const endings: RunResult['endings'] = {};
    for (const { state } of rest.sellers.flatMap(({ rows }) => rows))
      endings[state] = (endings[state] ?? 0) + 1;
    return {
      seed: options.seed,
      faults,
      actions: sellers.flatMap(({ log }) => log),
      violations,
      restMs,
      runMs: now(),
      endings,
    };
  } finally {
    for (const { client } of sellers) client.close();
  }
}

async function createSellers(sources: Sources, random: Random, resyncs: boolean): Promise<ChaosSeller[]> {
  const wanted = Array.from({ length: random.between(2, 3) }, () => ({
    plan: random.pick(['freelance', 'enterprise'] as const),
    paid: random.chance(0.85),
    resyncs,
    firstServer: random.below(2),
  }));
  return Promise.all(wanted.map(({ plan, ...rest }) => createChaosSeller(sources, plan, rest)));
}

/** A server or worker that ended by itself is a violation. It is started again, as whoever supervises it does. */
async function restartEnded({ stack }: Sources): Promise<Violation[]> {
  const ended = Object.values(stack.programs).filter(({ isRunning }) => !isRunning);
  for (const program of ended) await program.start();
  return ended.map(({ name }) => ({ rule: 'runs on', id: name, problem: 'the process ended by itself' }));
}

interface DrawnFault {
  fault: Fault;
  atMs: number;
  lastsMs: number;
  random: Random;
}

/** One to three faults; two of them may overlap, also two of one kind. */
function drawFaults(faults: readonly Fault[], random: Random): DrawnFault[] {
  const drawn = faults.flatMap((fault) => Array.from({ length: fault.weight ?? 1 }, () => fault));
  if (drawn.length === 0) return [];
  return Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => {
    const fault = random.pick(drawn);
    return {
      fault,
      atMs: random.below(workMs),
      lastsMs: random.between(fault.shortestMs ?? shortestFaultMs, fault.longestMs ?? longestFaultMs),
      random: random.fork(),
    };
  });
}

async function carryOut(
  { stack }: Sources,
  { fault, atMs, lastsMs, random }: DrawnFault,
  now: () => number,
): Promise<RunResult['faults'][number]> {
  await wait(atMs);
  const beganMs = now();
  const end = await fault.begin(stack, random);
  await wait(lastsMs);
  await end();
  return { name: fault.name, beganMs, endedMs: now() };
}

/** A seller's actions, each at a random time. They may overlap. */
async function work(sources: Sources, seller: ChaosSeller, random: Random, now: () => number): Promise<void> {
  const count = random.between(2, 5);
  const planned = Array.from({ length: count }, (_, index) => ({
    atMs: index === 0 ? random.below(workMs / 2) : random.below(workMs),
    random: random.fork(),
    act: drawAction(random, index === 0),
  }));
  await Promise.all(
    planned.map(async ({ atMs, act, random: own }) => {
      await wait(atMs);
      const began = now();
      const what = await act(sources, seller, own);
      seller.log.push(`${began}-${now()} ms, ${seller.id}: ${what}`);
    }),
  );
}
