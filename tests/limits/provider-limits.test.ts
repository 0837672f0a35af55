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

/** A call that the provider accepted: when it began, and when its worker had the answer, in ms since 1970. */
interface MadeCall {
  began: number;
  ended: number;
}

/**
 * Has images made by four workers.
 * @returns the calls that made them in the order in which they began, and how many others the provider refused
 */
async function makeImages(
  stack: TestStack,
  count: number,
  settings: GivenSettings,
): Promise<{ made: MadeCall[]; refused: number }> {
  const seller = await stack.seller({ plan: 'enterprise' });
  for (let left = count; left > 0; left -= 4) await seller.submitSet(Math.min(4, left));
  const workers = await Promise.all(
    // With the product's lease: a slot that is not renewed within the tests' second would be given to another call.
    Array.from({ length: workerCount }, () =>
      stack.startWorkerProcess({ WORKER_LOCK_MS: String(limitMs(30_000)), ...settings }),
    ),
  );
  await expect
    .poll(() => stack.models.generations.countDocuments({ profile: seller.id, state: 'succeeded' }), {
      timeout: limitMs(150_000),
      interval: 500,
    })
    .toBe(count);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const { calls } = await stack.images.state();
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  const duration = new Map(
    rows.map(({ provider }) => [provider!.request_id, provider!.milliseconds] as const),
  );
  const made = calls
    .filter(({ outcome }) => outcome === 'completed')
    .map(({ at, requestId }) => ({
      began: Date.parse(at),
      ended: Date.parse(at) + duration.get(requestId)!,
    }))
    .toSorted((one, other) => one.began - other.began);
  return { made, refused: calls.length - made.length };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** How much of a limit a minute was used: each call could have begun `periodMs` after the one that many calls before it. */
function usedOfMinute(made: readonly MadeCall[], limit: number, periodMs: number): number {
  return periodMs / mean(made.slice(limit).map(({ began }, index) => began - made[index]!.began));
}

/** How much of a limit in flight was used: each call could have begun when the one ended that left room for it. */
function usedInFlight(made: readonly MadeCall[], limit: number): number {
  const ends = made.map(({ ended }) => ended).toSorted((one, other) => one - other);
  const emptyMs = mean(made.slice(limit).map(({ began }, index) => began - ends[index]!));
  const callMs = mean(made.map(({ began, ended }) => ended - began));
  return callMs / (callMs + emptyMs);
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
      const { made, refused } = await makeImages(stack, 2 * limit, {
        PROVIDER_IMAGES_PER_MINUTE: String(limit),
      });
      const used = usedOfMinute(made, limit, 60_000);
      console.log(
        `${store}: ${limit} images a minute: ${refused} calls refused beside ${made.length} at ${percent(used)} use`,
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
      const limit = 8;
      // They take 16 to 23 s: calls that all end together measure how fast this machine checks eight images at once.
      const behaviours = Array.from({ length: 3 * limit }, (_, call) => {
        const ms = limitMs(16_000 + ((call * 3) % limit) * 1_000);
        return { kind: 'limits' as const, inFlight: limit, windowMs: 1, ms };
      });
      await stack.images.set({ behaviours });
      const { made, refused } = await makeImages(stack, behaviours.length, {
        PROVIDER_MAX_IN_FLIGHT: String(limit),
      });
      const used = usedInFlight(made, limit);
      console.log(
        `${store}: ${limit} calls in flight: ${refused} calls refused beside ${made.length} at ${percent(used)} use`,
      );
      expect(refused).toBe(0);
      expect(used).toBeGreaterThanOrEqual(0.95);
    },
  );
});
