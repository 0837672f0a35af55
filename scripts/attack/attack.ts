import type { BenchStack, BenchStackOptions } from '#scripts/bench/stack.ts';

/** One figure of an attack. */
export interface Figure {
  /** What was measured: `server's memory at its peak`. */
  what: string;
  /** What is asked of it, with its unit: `< 900 MB`. */
  asked: string;
  /** What came out, with its unit. */
  measured: string;
  /** Whether that is what is asked. */
  held: boolean;
}

/** An attack on a stack that is started for it alone. */
export interface Attack {
  /** One word, for `npm run attack -- decode`. */
  name: string;
  /** What the attacker does, in one line. */
  title: string;
  /** The stack that is attacked, where it differs from that of the benchmarks. */
  stack?: BenchStackOptions;
  /** Attacks. @returns the figures in the order in which they are to be read */
  run(stack: BenchStack): Promise<Figure[]>;
}

/** Thrown by an attack that cannot be run on this machine; its message says why. */
export class NotRun extends Error {
  override name = 'NotRun';
}
