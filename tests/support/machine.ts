/** How slow this machine is: every limit of a test is a multiple of it, so that a slow machine fails no test by the clock. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { readEnvironment } from '#shared/platform/environment.ts';

/** What both measurements take on the machine of the figures in docs/measured.md, when it is idle, in ms. */
const reference = { calculationMs: 100, startMs: 45 };
/** Cores for which the limits were chosen; with fewer, the processes of a test wait for each other. */
const referenceCores = 2;
/** Both are measured so often, and the middle one counts. */
const measurements = 5;

/** How many times as long work takes on this machine as on the one of the README. */
export interface MachineSpeed {
  /** At least 1. */
  factor: number;
  /** What it was measured by, for the output of the run. */
  reason: string;
}

/**
 * Measures the machine: a fixed calculation, the start of a Node process, and the cores that this process may use.
 * @param given a factor that counts instead
 */
export async function measureMachine(given?: string): Promise<MachineSpeed> {
  if (given) return { factor: Math.max(1, Number(given)), reason: 'TEST_MACHINE_FACTOR' };
  const calculation = (await median(calculate)) / reference.calculationMs;
  const start = (await median(startNode)) / reference.startMs;
  const cores = availableParallelism();
  const factor = Math.max(1, calculation, start) * Math.max(1, referenceCores / cores);
  const reason = `calculation ${calculation.toFixed(1)}, start of a process ${start.toFixed(1)}, cores ${cores}`;
  return { factor: Math.round(factor * 10) / 10, reason };
}

/** The factor of this run, which the process that starts the tests has measured. */
export function machineFactor(): number {
  return Number(readEnvironment().TEST_MACHINE_FACTOR || 1);
}

/**
 * A limit for a test on this machine: how long it waits at most, or a limit of the product that it sets.
 * @param ms the limit on the machine of the README
 */
export function limitMs(ms: number): number {
  return Math.ceil(ms * machineFactor());
}

async function median(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < measurements; count += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(measurements / 2)]!;
}

/** Interpreted, native and memory-bound work in about equal parts. */
function calculate(): number {
  const numbers = new Uint32Array(1 << 20);
  let state = 1;
  for (let round = 0; round < 12; round += 1) {
    for (let index = 0; index < numbers.length; index += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      numbers[index] = state ^ numbers[state & (numbers.length - 1)]!;
    }
  }
  for (let round = 0; round < 12; round += 1) createHash('sha256').update(numbers).digest();
  return numbers[0]!;
}

const startNode = () => promisify(execFile)(process.execPath, ['--eval', '0']);
