import type { BenchStack, BenchStackOptions } from '#tests/campaigns/bench/stack.ts';

/** One measurement of an attack. */
export interface Figure {
  /** What was measured, such as `peak memory of the server`. */
  what: string;
  /** What is required of it, with its unit, such as `< 900 MB`. */
  limit: string;
  /** The result, with its unit. */
  measured: string;
  /** Whether the result is within the limit. */
  passed: boolean;
}

/** An attack on a stack of its own. */
export interface Attack {
  /** One word, for `npm run test:limits -- decode`. */
  name: string;
  /** What the attacker does, in one line. */
  title: string;
  /** What differs from the benchmarks' stack. */
  stack?: BenchStackOptions;
  /** Runs the attack. @returns the figures in the order of the printed table */
  run(stack: BenchStack): Promise<Figure[]>;
}

/** Thrown by an attack that cannot be run on this machine; its message says why. */
export class NotRun extends Error {
  override name = 'NotRun';
}
