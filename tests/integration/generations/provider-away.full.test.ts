import { expect } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import { readProviderFlow } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import { expectAllMade, revoked, startWorkers, submitMany, testProviderAway } from './provider-away-steps.ts';

const test = testProviderAway();

const ok: Behaviour = { kind: 'ok' };

test('a limit of 5 images in each window: 20 queued images are made in order, with few refused calls', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  // A thirtieth of a minute, like the pauses.
  const windowMs = limitMs(2_000);
  const workers = 3;
  const { ids, prompts } = await submitMany(seller, 20);
  await stack.images.set({ default: { kind: 'rate-limit', calls: 5, windowMs } });
  const startedAt = performance.now();
  await startWorkers(stack, provider, workers, { PROVIDER_BACKOFF_MS: String(limitMs(66)) });
  await expectAllMade(stack, seller, window, ids);
  const windows = Math.ceil((performance.now() - startedAt) / windowMs);

  const state = await stack.images.state();
  const made = state.calls.filter((call) => call.outcome === 'completed').map(describedScene);
  const refused = state.calls.length - made.length;
  console.log(`rate limit: ${made.length} made in ${windows} windows, ${refused} calls refused`);
  expect(new Set(made)).toEqual(new Set(prompts));
  expect(made).toHaveLength(20);
  // Of each worker: its first concurrent calls, and then one in each window, by which it sees that the window is used up.
  expect(refused).toBeLessThanOrEqual(workers * (stack.config.worker.concurrency + windows));
  // Besides the concurrent ones, others go before a generation only after a refusal of it: two more each time.
  for (const [index, id] of ids.entries()) {
    const { calls } = (await stack.models.generations.findById(id).lean())!;
    const refusals = calls.refused ?? 0;
    const late = made.indexOf(prompts[index]!) - index;
    expect(late, prompts[index]).toBeLessThan(
      workers * stack.config.worker.concurrency + refusals * (refusals + 1),
    );
  }
});

test('calls that a limit refuses are made again in turn, and each refusal costs one call', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids, prompts } = await submitMany(seller, 6);
  const refused: Behaviour = {
    kind: 'error',
    status: 429,
    code: 'rate_limit_exceeded',
    type: 'requests',
    headers: { 'retry-after-ms': '100' },
  };
  // Two images in each window.
  await stack.images.set({ behaviours: [ok, ok, refused, ok, ok, refused] });
  await startWorkers(stack, provider, 1, { WORKER_CONCURRENCY: '1' });
  await expectAllMade(stack, seller, window, ids);
  const { calls } = await stack.images.state();
  expect(calls).toHaveLength(ids.length + 2);
  const made = calls.filter(({ outcome }) => outcome === 'completed').map(describedScene);
  expect(new Set(made)).toEqual(new Set(prompts));
  // The next one may go before the refused one, which is taken up again at the same moment.
  for (const [index, prompt] of prompts.entries()) {
    expect(Math.abs(made.indexOf(prompt) - index), made.join()).toBeLessThanOrEqual(1);
  }
});

test('a revoked key that is replaced later fails no waiting generation', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const slots = 2;
  const { ids } = await submitMany(seller, 6);
  await stack.images.set({ default: revoked });
  await startWorkers(stack, provider, 1, { WORKER_CONCURRENCY: String(slots) });
  // The first calls, and two later ones that tried again.
  await stack.images.waitFor({ calls: slots + 2 });
  await stack.images.set({ default: { kind: 'ok' } });
  // Not each of them has to find out.
  const { calls } = await stack.images.state();
  expect(new Set(calls.slice(0, slots + 2).map(describedScene)).size).toBeLessThan(ids.length);
  await expectAllMade(stack, seller, window, ids);
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map((row) => row.calls.started)).toEqual(ids.map(() => 1));
});

test('server errors of every call open the breaker before images fail', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids } = await submitMany(seller, 8);
  await stack.images.set({
    default: { kind: 'error', status: 500, code: 'server_error', type: 'server_error' },
  });
  // Later than the first calls of all images.
  await startWorkers(stack, provider, 2, { PROVIDER_BACKOFF_MS: String(limitMs(500)) });
  await expect.poll(async () => (await readProviderFlow(stack.db)).breaker, eventually).not.toBe('closed');
  // The second call of images whose first one failed, and probes.
  await stack.images.waitFor({ calls: 12 });
  expect(await readProviderFlow(stack.db)).toMatchObject({ kind: 'connection' });
  await stack.images.set({ default: { kind: 'ok' } });
  await expectAllMade(stack, seller, window, ids);
  expect((await readProviderFlow(stack.db)).breaker).toBe('closed');
});
