/** Slots for provider calls, taken by several workers on the real stores. */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { openProviderSlots, type ProviderSlots } from '#worker/provider-slots.ts';

const seed = randomInt(2 ** 31);
console.log(`provider-slots.test.ts: seed ${seed}`);

const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.models.providerFlows.deleteMany();
});

// The margin is more than the time that a call may begin after its slot was taken without being dated anew.
const window = { ms: 400, marginMs: 300 };

function openSlots(
  stack: TestStack,
  limits: { perMinute: number; inFlight: number },
  leaseMs: number,
): ProviderSlots {
  const { queue, log } = stack.server.context;
  const slots = openProviderSlots({ db: stack.db, queue, log, limits, leaseMs, window });
  onTestFinished(() => slots.stop());
  return slots;
}

test('workers that call at the same time never exceed the limits, and use them', async ({ stack }) => {
  let random = seed;
  const pick = (below: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * below);
  };
  const limits = { perMinute: 6, inFlight: 4 };
  const workers = Array.from({ length: 4 }, () => openSlots(stack, limits, 5_000));
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  let unused = 0;
  const ends = Date.now() + 3_500;
  async function call(slots: ProviderSlots): Promise<void> {
    while (Date.now() < ends) {
      const slot = await slots.take();
      if (!slot) {
        await wait(1 + pick(20));
        continue;
      }
      if (pick(4) === 0) unused += 1;
      else {
        await slot.begin();
        begun.push(Date.now());
        running += 1;
        most = Math.max(most, running);
        await wait(pick(80));
        running -= 1;
      }
      await slot.end();
    }
  }
  await Promise.all(workers.flatMap((slots) => [call(slots), call(slots), call(slots)]));
  expect(most).toBeLessThanOrEqual(limits.inFlight);
  for (const end of begun) {
    const inWindow = begun.filter((at) => at > end - window.ms && at <= end);
    expect(inWindow.length, `seed ${seed}`).toBeLessThanOrEqual(limits.perMinute);
  }
  // Slots that were not used count for nothing: about five windows of six calls.
  expect(unused).toBeGreaterThan(0);
  expect(begun.length).toBeGreaterThanOrEqual(3 * limits.perMinute);
  expect(await readProviderFlow(stack.db)).toMatchObject({
    limiter: { perMinute: 6, inFlight: 4, running: 0 },
  });
});

test('the slot of a worker that died becomes free, that of a living one is renewed', async ({ stack }) => {
  const limits = { perMinute: 0, inFlight: 2 };
  const [dying, living, other] = [1, 2, 3].map(() => openSlots(stack, limits, 800)) as [
    ProviderSlots,
    ProviderSlots,
    ProviderSlots,
  ];
  expect(await dying.take()).not.toBeNull();
  const kept = await living.take();
  expect(await other.take()).toBeNull();
  dying.stop();
  await expect.poll(async () => (await readProviderFlow(stack.db)).limiter.running, eventually).toBe(1);
  const taken = await other.take();
  expect(taken).not.toBeNull();
  // Longer than the lease: the slot of the living worker is still taken.
  await wait(1_200);
  expect(await other.take()).toBeNull();
  await kept!.end();
  expect(await other.take()).not.toBeNull();
});

test('without limits nothing is counted, until the provider says that it accepts no more', async ({
  stack,
}) => {
  const slots = openSlots(stack, { perMinute: 0, inFlight: 0 }, 5_000);
  const slot = (await slots.take())!;
  await slot.begin();
  await slot.answered({ limit: 100, remaining: 50, resetMs: 60_000 });
  expect((await readProviderFlow(stack.db)).limiter.used).toBe(0);
  await slot.answered({ limit: 100, remaining: 1, resetMs: 60_000 });
  expect(await slots.take()).not.toBeNull();
  expect(await slots.take()).toBeNull();
  const { limiter } = await readProviderFlow(stack.db);
  expect(limiter.waitsUntil!.getTime()).toBeGreaterThan(Date.now() + 50_000);
  expect(await stack.server.context.queue.getRateLimitTtl()).toBeGreaterThan(50_000);
});
