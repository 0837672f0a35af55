/** Slots for provider calls, taken by several workers on the real stores. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { openProviderSlots, type ProviderSlots } from '#worker/flow/provider-slots.ts';

const test = testWithStack({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.models.providerFlows.deleteMany();
});

// The margin is more than the time that a call may begin after its slot was taken without being dated anew.
const window = { ms: limitMs(400), marginMs: limitMs(300) };
const leaseMs = limitMs(5_000);

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

const retryIntervalMs = 20;

test('workers that call at the same time never exceed the limits, and use them', async ({ stack }) => {
  const limits = { perMinute: 6, inFlight: 4 };
  const workers = Array.from({ length: 4 }, () => openSlots(stack, limits, leaseMs));
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  let taken = 0;
  // So many calls begin only in three windows that are used up.
  const wanted = 3 * limits.perMinute;
  async function call(slots: ProviderSlots): Promise<void> {
    while (begun.length < wanted) {
      const slot = await slots.take();
      if (!slot) {
        await wait(retryIntervalMs);
        continue;
      }
      taken += 1;
      // A slot that is not used counts for nothing.
      if (taken % 4 !== 0) {
        await slot.begin();
        begun.push(Date.now());
        running += 1;
        most = Math.max(most, running);
        await wait(taken % 3 === 0 ? 60 : 10);
        running -= 1;
      }
      await slot.end();
    }
  }
  await Promise.all(workers.flatMap((slots) => [call(slots), call(slots), call(slots)]));
  expect(most).toBeLessThanOrEqual(limits.inFlight);
  for (const end of begun) {
    const inWindow = begun.filter((at) => at > end - window.ms && at <= end);
    expect(inWindow.length).toBeLessThanOrEqual(limits.perMinute);
  }
  expect(await readProviderFlow(stack.db)).toMatchObject({
    limiter: { perMinute: 6, inFlight: 4, running: 0 },
  });
});

test('the slot of a worker that died becomes free, that of a living one is renewed', async ({ stack }) => {
  const limits = { perMinute: 0, inFlight: 2 };
  const [dying, living, other] = [1, 2, 3].map(() => openSlots(stack, limits, limitMs(800))) as [
    ProviderSlots,
    ProviderSlots,
    ProviderSlots,
  ];
  expect(await dying.take()).not.toBeNull();
  const kept = await living.take();
  const firstLease = (await stack.models.providerFlows.findOne().lean())!.running[1]!.until;
  expect(await other.take()).toBeNull();
  dying.stop();
  await expect.poll(async () => (await readProviderFlow(stack.db)).limiter.running, eventually).toBe(1);
  const taken = await other.take();
  expect(taken).not.toBeNull();
  // Its lease would have ended: the slot of the living worker is still taken.
  const leaseEnded = () => Date.now() - firstLease.getTime();
  await expect.poll(leaseEnded, eventually).toBeGreaterThan(0);
  expect(await other.take()).toBeNull();
  await kept!.end();
  expect(await other.take()).not.toBeNull();
});

test('without limits nothing is counted, until the provider says that it accepts no more', async ({
  stack,
}) => {
  const slots = openSlots(stack, { perMinute: 0, inFlight: 0 }, leaseMs);
  const slot = (await slots.take())!;
  await slot.begin();
  const resetMs = 60_000;
  await slot.answered({ limit: 100, remaining: 50, resetMs });
  expect((await readProviderFlow(stack.db)).limiter.used).toBe(0);
  const answeredAt = Date.now();
  await slot.answered({ limit: 100, remaining: 1, resetMs });
  expect(await slots.take()).not.toBeNull();
  expect(await slots.take()).toBeNull();
  const { limiter } = await readProviderFlow(stack.db);
  expect(limiter.waitsUntil!.getTime()).toBeGreaterThanOrEqual(answeredAt + resetMs);
  const closedMs = await stack.server.context.queue.getRateLimitTtl();
  // So long from the answer, without a second for rounding.
  expect(closedMs + Date.now() - answeredAt).toBeGreaterThan(resetMs - 1_000);
});
