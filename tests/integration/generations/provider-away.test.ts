import { expect, onTestFinished } from 'vitest';
import { composePrompt, defaultOptions } from '#contract';
import type { Behaviour } from '#local/openai/control-client.ts';
import { startTcpProxy, type TcpProxy } from '#scripts/chaos/tcp-proxy.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { readProviderFlow, tryProviderAgain } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import { describedScene } from '#tests/support/provider-calls.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 }).extend(
  'provider',
  { scope: 'file' },
  async ({ stack }, { onCleanup }) => {
    const provider = await startTcpProxy(stack.config.image.baseUrl!);
    onCleanup(() => provider.close());
    return provider;
  },
);
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  // Each test starts without a pause of the test before.
  await stack.models.providerPauses.deleteMany();
  await stack.models.providerFlows.deleteMany();
  await stack.server.context.queue.removeGlobalRateLimit();
  await stack.server.context.queue.removeRateLimitKey();
});

/** Starts workers whose pauses are a twentieth of the default. */
async function startWorkers(
  stack: TestStack,
  provider: TcpProxy,
  count: number,
  settings: GivenSettings = {},
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const worker = await stack.startWorker({
      PROVIDER_BACKOFF_MS: '100',
      OPENAI_BASE_URL: provider.url,
      ...settings,
    });
    onTestFinished(() => worker.close());
  }
}

/** Submits one after the other, so that their order is known. @returns their ids and prompts */
async function submitMany(seller: Seller, count: number): Promise<{ ids: string[]; prompts: string[] }> {
  const prompts = Array.from({ length: count }, (_, index) => `Scene ${index}`);
  const ids: string[] = [];
  for (const prompt of prompts) ids.push((await seller.submit({ prompt })).id);
  return { ids, prompts };
}

async function expectAllMade(
  stack: TestStack,
  seller: Seller,
  window: SellerWindow,
  ids: string[],
): Promise<void> {
  const views = await Promise.all(ids.map((id) => window.untilEnded(id)));
  const ends = views.map((view) => view.failure?.code ?? view.state);
  expect(ends).toEqual(ids.map(() => 'succeeded'));
  await expect
    .poll(async () => (await seller.me()).subscription, eventually)
    .toMatchObject({ generationsLeft: 100 - ids.length, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
}

const revoked: Behaviour = {
  kind: 'error',
  status: 401,
  code: 'invalid_api_key',
  type: 'invalid_request_error',
};

test('a limit of 5 images in each window: 20 queued images are made in order, with few refused calls', {
  timeout: 150_000,
}, async ({ stack, provider, seller, window }) => {
  // A thirtieth of a minute, like the pauses.
  const windowMs = 2_000;
  const { ids, prompts } = await submitMany(seller, 20);
  await stack.images.set({ default: { kind: 'rate-limit', calls: 5, windowMs } });
  const startedAt = performance.now();
  await startWorkers(stack, provider, 3, { PROVIDER_BACKOFF_MS: '66' });
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

test('an outage of the provider fails no waiting generation', async ({ stack, provider, seller, window }) => {
  const { ids } = await submitMany(seller, 8);
  provider.refuse();
  // Four of them are tried while the provider is away, and the others wait for their first try.
  await startWorkers(stack, provider, 2, { WORKER_CONCURRENCY: '2' });
  await window.until(ids[0]!, (view) => view.progress?.stage === 'waiting');
  // An outage of a minute, scaled down like the pauses.
  setTimeout(() => provider.restore(), 3_000);
  await expectAllMade(stack, seller, window, ids);
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map((row) => row.calls.started)).toEqual(ids.map(() => 1));
});

test('a revoked key that is replaced later fails no waiting generation', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids } = await submitMany(seller, 16);
  await stack.images.set({ default: revoked });
  await startWorkers(stack, provider, 3);
  // At least one worker's first calls, and two later ones that tried again.
  await stack.images.waitFor({ calls: 4 + 2 });
  await stack.images.set({ default: { kind: 'ok' } });
  const { calls } = await stack.images.state();
  expect(calls.length).toBeLessThan(16);
  await expectAllMade(stack, seller, window, ids);
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map((row) => row.calls.started)).toEqual(ids.map(() => 1));
});

test('a request that the provider always refuses does not block others, and fails in the end', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids, prompts } = await submitMany(seller, 8);
  // As the provider answers a request that is larger than the account's limit.
  const prompt = composePrompt({
    ...defaultOptions,
    scene: prompts[0]!,
    photoCount: 1,
    photosShow: 'one-product',
  }).replaceAll('\n', '\r\n');
  const tooLarge = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'tokens' } as const;
  await stack.images.set({ default: { ...tooLarge, prompt } });
  await startWorkers(stack, provider, 1, { PROVIDER_BACKOFF_MS: '50', PROVIDER_BUSY_WAIT_MS: '6000' });
  const others = await Promise.all(ids.slice(1).map((id) => window.untilEnded(id)));
  expect(others.map((view) => view.state)).toEqual(others.map(() => 'succeeded'));
  const refused = await window.untilEnded(ids[0]!);
  expect(refused.failure?.code).toBe('PROVIDER_BUSY');
  const last = Math.max(...others.map((view) => Date.parse(view.endedAt!)));
  expect(last).toBeLessThan(Date.parse(refused.endedAt!));
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('the breaker opens after repeated refusals, an operator lets it try again, and probes close it', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids } = await submitMany(seller, 6);
  await stack.images.set({ default: revoked });
  // Pauses of about 1, 2 and 4 s: the third opens the breaker.
  await startWorkers(stack, provider, 2, { PROVIDER_BACKOFF_MS: '200' });
  const { queue } = stack.server.context;
  const flow = () => readProviderFlow(stack.db);
  await expect.poll(async () => (await flow()).breaker, eventually).toBe('open');
  const open = await flow();
  expect(open).toMatchObject({ kind: 'account', since: expect.any(Date), until: expect.any(Date) });
  expect(open.cause).toContain('HTTP 401 invalid_api_key');
  expect(open.refusedCalls).toBeGreaterThanOrEqual(3);
  const view = await window.until(ids[0]!, ({ progress }) => progress?.waitingFor === 'provider');
  expect(view.state).toBe('running');
  // One that was never taken from the queue says the same.
  const waits = { stage: 'waiting', waitingFor: 'provider' };
  const last = (await seller.submit({ prompt: 'later' })).id;
  ids.push(last);
  await expect
    .poll(() => seller.generation(last), eventually)
    .toMatchObject({ state: 'queued', progress: waits });

  await stack.images.set({ default: { kind: 'ok' } });
  expect(await tryProviderAgain({ db: stack.db, queue })).toBe(true);
  expect(await tryProviderAgain({ db: stack.db, queue })).toBe(false);
  expect(await flow()).toMatchObject({ breaker: 'half-open', until: null, since: open.since });
  await expectAllMade(stack, seller, window, ids);
  expect(await flow()).toMatchObject({
    breaker: 'closed',
    since: null,
    kind: null,
    cause: null,
    refusedCalls: 0,
  });
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
  await startWorkers(stack, provider, 2);
  await expect.poll(async () => (await readProviderFlow(stack.db)).breaker, eventually).not.toBe('closed');
  // The second call of images whose first one failed, and probes.
  await stack.images.waitFor({ calls: 12 });
  expect(await readProviderFlow(stack.db)).toMatchObject({ kind: 'connection' });
  await stack.images.set({ default: { kind: 'ok' } });
  await expectAllMade(stack, seller, window, ids);
  expect((await readProviderFlow(stack.db)).breaker).toBe('closed');
});
