import { expect } from 'vitest';
import { composePrompt, defaultOptions } from '#contract';
import { modelsOf } from '#shared/data/collections.ts';
import { findProviderPause } from '#shared/data/queue/provider-pauses.ts';
import { isQueueHeld, throttleQueue } from '#shared/platform/queue.ts';
import { readProviderFlow, tryProviderAgain } from '#shared/provider/flow.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { mendQueueHold } from '#worker/flow/provider-pause.ts';
import { expectAllMade, revoked, startWorkers, submitMany, testProviderAway } from './provider-away-steps.ts';

const test = testProviderAway();

test('an outage of the provider fails no waiting generation', async ({ stack, provider, seller, window }) => {
  const { ids } = await submitMany(seller, 4);
  provider.refuse();
  // Two of them are tried while the provider is away, and the others wait for their first try.
  await startWorkers(stack, provider, 2, { WORKER_CONCURRENCY: '1' });
  const refusals = async () => {
    const rows = await stack.models.generations.find({ profile: seller.id }).lean();
    return rows.reduce((sum, { calls }) => sum + (calls.refused ?? 0), 0);
  };
  // Of both workers, and then of tries after pauses.
  await expect.poll(refusals, eventually).toBeGreaterThanOrEqual(4);
  provider.restore();
  await expectAllMade(stack, seller, window, ids);
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map((row) => row.calls.started)).toEqual(ids.map(() => 1));
});

test('an image that has come is kept although what is known of the provider cannot be written', async ({
  stack,
  seller,
  window,
  onTestFinished,
}) => {
  const now = Date.now();
  await stack.models.providerPauses.create({
    _id: 'images',
    kind: 'connection',
    since: new Date(now - limitMs(60_000)),
    until: new Date(now - 1),
    step: 1,
    careful: 3,
    pauses: 1,
    refused_calls: 1,
    cause: 'no connection',
  });
  const worker = await stack.startWorker();
  onTestFinished(() => worker.close());
  const { collection } = modelsOf(worker.context.db).providerPauses;
  let refused = 0;
  collection.findOneAndUpdate = async () => {
    refused += 1;
    throw new Error('MongoDB is away');
  };
  const { id } = await seller.submit();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
  expect(refused).toBe(1);
  expect((await stack.images.state()).calls).toHaveLength(1);
});

test('a queue that a dead worker left held is released after ten quiet minutes, and not before', async ({
  stack,
  seller,
  window,
  onTestFinished,
}) => {
  const worker = await stack.startWorker({ UPKEEP_INTERVAL_MS: '3600000', PROVIDER_BACKOFF_MS: '2000' });
  onTestFinished(() => worker.close());
  const { context } = worker;
  const hold = (until: number) =>
    stack.models.providerPauses.replaceOne(
      { _id: 'images' },
      { kind: 'busy', since: new Date(until - 60_000), until: new Date(until), step: 2, careful: 20 },
      { upsert: true },
    );
  const isHeld = () => isQueueHeld(context.queue);
  await throttleQueue(context.queue, 1, 3_600_000);
  await hold(Date.now() - 590_000);
  expect([await mendQueueHold(context), await isHeld()]).toEqual([0, true]);
  await hold(Date.now() - 610_000);
  expect([await mendQueueHold(context), await isHeld()]).toEqual([1, false]);
  expect(await findProviderPause(stack.db)).toMatchObject({ careful: 0, step: 0 });
  expect(await mendQueueHold(context)).toBe(0);
  const { id } = await seller.submit();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded' });
});

test('a request that the provider always refuses does not block others, and fails in the end', async ({
  stack,
  provider,
  seller,
  window,
}) => {
  const { ids, prompts } = await submitMany(seller, 4);
  // As the provider answers a request that is larger than the account's limit.
  const prompt = composePrompt({
    ...defaultOptions,
    scene: prompts[0]!,
    photoCount: 1,
    photosShow: 'one-product',
  }).replaceAll('\n', '\r\n');
  const tooLarge = { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'tokens' } as const;
  await stack.images.set({ default: { ...tooLarge, prompt } });
  await startWorkers(stack, provider, 1, {
    PROVIDER_BACKOFF_MS: String(limitMs(50)),
    PROVIDER_BUSY_WAIT_MS: String(limitMs(4_000)),
  });
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
  const { ids } = await submitMany(seller, 3);
  await stack.images.set({ default: revoked });
  // Pauses of about 1, 2 and 4 s: the third opens the breaker.
  await startWorkers(stack, provider, 2, { PROVIDER_BACKOFF_MS: String(limitMs(200)) });
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
  // A pause may have ended by itself just before, and calls that began then do not count: these three do.
  for (const prompt of ['first', 'second', 'third']) ids.push((await seller.submit({ prompt })).id);
  await expectAllMade(stack, seller, window, ids);
  await expect.poll(flow, eventually).toMatchObject({
    breaker: 'closed',
    since: null,
    kind: null,
    cause: null,
    refusedCalls: 0,
  });
});
