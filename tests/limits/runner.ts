/** The tests of attacks: each on a stack of its own, in processes. What it measures is printed and checked. */
import { expect, test } from 'vitest';
import { type CampaignStack, type CampaignStackOptions, onStack } from '#tests/campaigns/support/stack.ts';
import { limitMs } from '#tests/support/machine.ts';

/** One measurement of an attack, with its unit; `limit` is what is required of it, such as `< 900 MB`. */
export interface Figure {
  what: string;
  measured: string;
  limit: string;
  passed: boolean;
}

/** Thrown by an attack that cannot be run on this machine; its message says why. */
export class NotRun extends Error {
  override name = 'NotRun';
}

/** @param options what differs from the usual stack of a campaign */
export function testAttack(
  title: string,
  attack: (stack: CampaignStack) => Promise<Figure[]>,
  options: CampaignStackOptions = {},
): void {
  // Processor time and memory are read from /proc.
  test.skipIf(process.platform !== 'linux')(
    title,
    async ({ skip }) => {
      try {
        for (const { what, measured, limit, passed } of await onStack(options, attack)) {
          const line = `${what}: ${measured}${limit && ` (${limit})`}`;
          console.log(line);
          expect.soft(passed, line).toBe(true);
        }
      } catch (error) {
        if (error instanceof NotRun) skip(error.message);
        throw error;
      }
    },
    limitMs(600_000),
  );
}

/** For comparison: nothing is required of it. */
export const shown = (what: string, measured: string): Figure => ({
  what,
  measured,
  limit: '',
  passed: true,
});

export const below = (
  what: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): Figure => ({
  what,
  measured: show(value),
  limit: `< ${show(limit)}`,
  passed: value < limit,
});

export const atMost = (
  what: string,
  value: number,
  limit: number,
  show = String as (value: number) => string,
): Figure => ({
  what,
  measured: show(value),
  limit: `at most ${show(limit)}`,
  passed: value <= limit,
});

export const equal = (what: string, value: number, wanted: number): Figure => ({
  what,
  measured: String(value),
  limit: String(wanted),
  passed: value === wanted,
});

/** Every reply has one of these statuses. */
export const answered = (what: string, statuses: readonly number[], ...wanted: number[]): Figure => ({
  what,
  measured: countStatuses(statuses),
  limit: wanted.join(' or '),
  passed: statuses.every((status) => wanted.includes(status)),
});

/** How often each status was answered, such as `3 × 201, 1 × 402`; 0 for a connection that broke. */
export function countStatuses(statuses: readonly number[]): string {
  const counts = [...Map.groupBy(statuses, (status) => status)].toSorted(([one], [other]) => one - other);
  return counts.map(([status, { length }]) => `${length} × ${status}`).join(', ');
}

const megabyte = 1024 ** 2;
export const megabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
export const seconds = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'refused');

/** Sends requests at a fixed rate, the first one at once, without waiting for earlier replies. */
export function sendSteadily(
  perSecond: number,
  send: () => Promise<Response>,
): { stop(): Promise<number[]> } {
  const times = [timeOf(send)];
  const timer = setInterval(() => times.push(timeOf(send)), 1_000 / perSecond);
  return {
    /** @returns ms until each reply; Infinity if it failed or its status was not 200 */
    stop() {
      clearInterval(timer);
      return Promise.all(times);
    },
  };
}

async function timeOf(send: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  try {
    const reply = await send();
    await reply.arrayBuffer();
    return reply.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
