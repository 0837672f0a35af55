import { expect } from 'vitest';
import { decisionText, eventually, expectFolders, testWithHarness } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import { describedScene } from '#tests/support/provider-calls.ts';

const test = testWithHarness();
test.afterEach(({ stack }) => expectFolders(stack));

test('killed before its claim is stored: another worker makes the image, and no call is counted as lost', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt('calls.started');
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'queued', calls: { started: 0 } });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 1, lost: 0 });
});

test('killed after the image is stored and before the outcome is: another worker uses the stored image, without a second call', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt(decisionText);
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'running', image: null });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).image?.key).toMatch(/image-1\.png$/);
  expect(await harness.stack.audit('contents')).toEqual([]);
});

test('killed between storing the outcome and settling: upkeep settles the generation', async ({
  harness,
}) => {
  const held = harness.mongo.holdAt('settled');
  const first = await harness.startWorkerProcess(harness.proxied);
  const { id } = await harness.seller.submit();
  await held;
  expect(await harness.row(id)).toMatchObject({ state: 'succeeded', settlement_due: true });
  await first.kill();
  await harness.startWorker();
  await expect.poll(() => harness.row(id), eventually).not.toHaveProperty('settlement_due');
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('two workers killed during their calls: the generation fails and no image is used', async ({
  harness,
}) => {
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const { id } = await harness.seller.submit();
  for (const calls of [1, 2]) {
    const worker = await harness.startWorkerProcess();
    await harness.stack.images.waitFor({ calls, waiting: 1 });
    await worker.kill();
    await harness.stack.images.waitFor({ active: 0 });
  }
  await harness.startWorker();
  const view = await harness.untilEnded(id);
  expect(view.failure?.code).toBe('GENERATION_FAILED');
  await harness.expectEnd(view, { state: 'failed', calls: 2 });
});

test('five workers share the jobs; one that is killed during its call costs one more call', async ({
  harness,
}) => {
  const oneJob = { WORKER_CONCURRENCY: '1', WORKER_LOCK_MS: String(limitMs(4_000)) };
  const killed = await harness.startWorkerProcess(oneJob);
  for (let count = 0; count < 4; count += 1) await harness.startWorker(oneJob);
  await harness.stack.images.set({ default: { kind: 'hold' } });
  const prompts = Array.from({ length: 10 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => harness.seller.submit({ prompt })));
  // Each worker executes one job at a time, so five concurrent calls come from five workers.
  const { calls } = await harness.stack.images.waitFor({ waiting: 5 });
  expect(new Set(calls.map((call) => call.prompt)).size).toBe(5);

  await killed.kill();
  await harness.stack.images.set({ default: { kind: 'ok' } });
  await harness.stack.images.release();
  const views = await Promise.all(submitted.map(({ id }) => harness.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  const made = (await harness.stack.images.state()).calls.map(describedScene);
  expect(made).toHaveLength(prompts.length + 1);
  expect(new Set(made)).toEqual(new Set(prompts));
  await harness.expectLeft(90);
});
