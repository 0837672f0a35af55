/**
 * The limits on provider calls with four workers, each a process, against a provider that enforces the same limits: none of
 * the calls may be refused, and nearly all of the limit is used. On both stores of the queue.
 */
import { test as base, describe, expect } from 'vitest';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { limitMs, machineFactor } from '#tests/support/machine.ts';
import { findRedis, startRedis } from '#tests/support/redis.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';

const redisVersion = await findRedis();

/** The stores run at the same time: nearly all of the time, the workers wait for the provider. */
const stores = redisVersion === undefined ? (['PostgreSQL'] as const) : (['PostgreSQL', 'Redis'] as const);

/** `test` with the fixture `startOn`, which starts a stack without workers on one of the stores. */
const test = base.extend(
  'startOn',
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
  async ({}, { onCleanup }) => {
    const opened: { close(): Promise<unknown> }[] = [];
    onCleanup(async () => {
      for (const each of opened.reverse()) await each.close();
    });
    return async (store: (typeof stores)[number]): Promise<TestStack> => {
      const redis = store === 'Redis' ? await startRedis(redisVersion!) : undefined;
      if (redis) opened.push(redis);
      const stack = await startTestStack({
        workers: 0,
        ...(redis && { settings: { QUEUE_URL: redis.url } }),
      });
      opened.push(stack);
      return stack;
    };
  },
);

const workerCount = 4;

/**
 * Has images made by four workers.
 * @returns when the provider got each call in order, in ms, how many it refused, and how long one took on average, in ms
 */
async function makeImages(
  stack: TestStack,
  count: number,
  settings: GivenSettings,
): Promise<{ times: number[]; refused: number; callMs: number }> {
  const seller = await stack.seller({ plan: 'enterprise' });
  for (let left = count; left > 0; left -= 4) await seller.submitSet(Math.min(4, left));
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => stack.startWorkerProcess(settings)),
  );
  await expect
    .poll(() => stack.models.generations.countDocuments({ profile: seller.id, state: 'succeeded' }), {
      timeout: limitMs(150_000),
      interval: 500,
    })
    .toBe(count);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const { calls } = await stack.images.state();
  const made = calls.filter(({ outcome }) => outcome === 'completed');
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  const durations = rows.map(({ provider }) => provider!.milliseconds);
  return {
    times: made.map(({ at }) => Date.parse(at)).toSorted((one, other) => one - other),
    refused: calls.length - made.length,
    callMs: durations.reduce((sum, each) => sum + each, 0) / count,
  };
}

/** How much of a limit was used: each call could have begun `periodMs` after the one that many calls before it. */
function usedPart(times: readonly number[], limit: number, periodMs: number): number {
  const cycles = times.slice(limit).map((at, index) => at - times[index]!);
  return periodMs / (cycles.reduce((sum, each) => sum + each, 0) / cycles.length);
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;

describe('four workers with a limit a minute', () => {
  test.concurrent.for(stores)(
    'make as many images a minute as they may on %s, and not one more',
    {
      timeout: limitMs(240_000),
    },
    async (store, { startOn, expect }) => {
      const stack = await startOn(store);
      // A slow machine makes fewer images than that.
      const limit = Math.max(10, Math.round(90 / machineFactor()));
      await stack.images.set({ default: { kind: 'limits', perWindow: limit, windowMs: 60_000, ms: 300 } });
      const { times, refused } = await makeImages(stack, 2 * limit, {
        PROVIDER_IMAGES_PER_MINUTE: String(limit),
      });
      const used = usedPart(times, limit, 60_000);
      console.log(
        `${store}: ${limit} images a minute: ${refused} of ${times.length} calls refused at ${percent(used)} use`,
      );
      expect(refused).toBe(0);
      expect(used).toBeGreaterThanOrEqual(0.95);
    },
  );
});

describe('four workers with a limit of calls in flight', () => {
  test.concurrent.for(stores)(
    'have as many calls under way as they may on %s, and not one more',
    {
      timeout: limitMs(240_000),
    },
    async (store, { startOn, expect }) => {
      const stack = await startOn(store);
      const [limit, ms] = [8, limitMs(20_000)];
      await stack.images.set({ default: { kind: 'limits', inFlight: limit, windowMs: 1, ms } });
      const { times, refused, callMs } = await makeImages(stack, 2 * limit, {
        PROVIDER_MAX_IN_FLIGHT: String(limit),
      });
      const used = usedPart(times, limit, callMs);
      console.log(
        `${store}: ${limit} calls in flight: ${refused} of ${times.length} calls refused at ${percent(used)} use`,
      );
      expect(refused).toBe(0);
      expect(used).toBeGreaterThanOrEqual(0.95);
    },
  );
});
