import { expect } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import { expectAllMade, startWorkers, submitMany, testProviderAway } from './provider-away-steps.ts';

const test = testProviderAway();

test('a limit of 5 images in each window: 20 queued images are made in order, with few refused calls', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  // A thirtieth of a minute, like the pauses.
  const windowMs = limitMs(2_000);
  const { ids, prompts } = await submitMany(seller, 20);
  await stack.images.set({ default: { kind: 'rate-limit', calls: 5, windowMs } });
  const startedAt = performance.now();
  await startWorkers(stack, provider, 3, { PROVIDER_BACKOFF_MS: String(limitMs(66)) });
  await expectAllMade(stack, seller, window, ids);
  const windows = Math.ceil((performance.now() - startedAt) / windowMs);

  const state = await stack.images.state();
  const made = state.calls.filter((call) => call.outcome === 'completed').map(describedScene);
  const refused = state.calls.length - made.length;
  console.log(`rate limit: ${made.length} made in ${windows} windows, ${refused} calls refused`);
  expect(new Set(made)).toEqual(new Set(prompts));
  expect(made).toHaveLength(20);
  // The first concurrent calls of all workers, and then one or two in each window that show that it is used up.
  expect(refused).toBeLessThanOrEqual(3 * stack.config.worker.concurrency + 2 * windows);
  // Besides the concurrent ones, others go before a generation only after a refusal of it: two more each time.
  for (const [index, id] of ids.entries()) {
    const { calls } = (await stack.models.generations.findById(id).lean())!;
    const refusals = calls.refused ?? 0;
    const late = made.indexOf(prompts[index]!) - index;
    expect(late, prompts[index]).toBeLessThan(
      3 * stack.config.worker.concurrency + refusals * (refusals + 1),
    );
  }
});
