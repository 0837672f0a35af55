/** Something that goes wrong in the stack for a while. */

import type { ProxiedStack } from '#tests/campaigns/support/stack.ts';
import type { Random } from '#tests/support/random.ts';

export interface Fault {
  /** In kebab-case, as `--only` takes it. */
  name: string;
  /** Where it happens, as the report shows it: `worker → MongoDB`. */
  hop: string;
  /** How long it lasts, in ms; `shortestFaultMs` and `longestFaultMs` of run.ts unless given. */
  shortestMs?: number;
  longestMs?: number;
  /** How often it is drawn, compared with others; 1 unless given. */
  weight?: number;
  /** Whether a stack can have it; every one can unless given. */
  isPossible?(stack: ProxiedStack): boolean;
  /**
   * Begins the fault.
   * @returns the function that ends it: afterwards the stack works as before, and all its processes are ready. It resolves
   * only then. The harness calls it exactly once, at a random time or when the run ends.
   */
  begin(stack: ProxiedStack, random: Random): Promise<() => Promise<void>>;
}
