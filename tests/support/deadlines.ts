import { type Deadlines, usualDeadlines } from '#server/plugins/deadline.ts';
import { limitMs, machineFactor } from './machine.ts';

/** Node's own limit for a request, which the one for its headers may not exceed. */
const longestHeadersMs = 300_000;

/**
 * The deadlines of the product for this machine: what a test makes wait in proportion to the machine does not meet them. How
 * often they are checked stays.
 */
export const deadlinesHere: Deadlines = {
  ...(Object.fromEntries(
    Object.entries(usualDeadlines).map(([name, value]: [string, number]) => {
      if (name.endsWith('CheckMs')) return [name, value];
      return [name, name.endsWith('PerSecond') ? value / machineFactor() : limitMs(value)];
    }),
  ) as unknown as Deadlines),
  headersMs: Math.min(limitMs(usualDeadlines.headersMs), longestHeadersMs),
};
