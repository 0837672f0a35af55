import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionText, eventually, setUpHarness } from '#tests/support/harness.ts';

const crew = setUpHarness();

test('killed between claim and provider call: another worker makes it with one call', async () => {
  const held = crew.mongo.holdAt('calls.started');
  const first = await crew.startWatchedWorker();
  const { id } = await crew.seller.submit();
  await held;
  expect(await crew.row(id)).toMatchObject({ state: 'running', calls: { started: 0 } });
  await first.kill();
  await crew.startWorker();
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await crew.row(id)).calls).toMatchObject({ started: 1, lost: 0 });
});

test('killed during the provider call: it is replaced once and counted once', async () => {
  await crew.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const first = await crew.startWorker();
  const { id } = await crew.seller.submit();
  await crew.stack.images.waitFor({ waiting: 1 });
  await first.kill();
  await crew.startWorker();
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 2 });
  expect((await crew.row(id)).calls).toMatchObject({ started: 2, lost: 1 });
});

test('killed with the image stored and nothing decided: the stored image is taken, no second call', async () => {
  const held = crew.mongo.holdAt(decisionText);
  const first = await crew.startWatchedWorker();
  const { id } = await crew.seller.submit();
  await held;
  expect(await crew.row(id)).toMatchObject({ state: 'running', image: null });
  await first.kill();
  await crew.startWorker();
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await crew.row(id)).image?.key).toMatch(/image-1\.png$/);
});

test('killed between the decision and the balance: the reconciler lets the balance follow', async () => {
  const held = crew.mongo.holdAt('settled');
  const first = await crew.startWatchedWorker();
  const { id } = await crew.seller.submit();
  await held;
  expect(await crew.row(id)).toMatchObject({ state: 'succeeded', settlement_due: true });
  await first.kill();
  await crew.startWorker();
  await expect.poll(() => crew.row(id), eventually).not.toHaveProperty('settlement_due');
  await crew.expectEnd(await crew.window.untilEnded(id), { state: 'succeeded', calls: 1 });
});

test('two workers killed during its calls: it fails and nothing is counted', async () => {
  await crew.stack.images.set({ default: { kind: 'hold' } });
  const { id } = await crew.seller.submit();
  for (const calls of [1, 2]) {
    const worker = await crew.startWorker();
    await crew.stack.images.waitFor({ calls, waiting: 1 });
    await worker.kill();
    await crew.stack.images.waitFor({ active: 0 });
  }
  await crew.startWorker();
  const view = await crew.window.untilEnded(id);
  expect(view.failure?.code).toBe('GENERATION_FAILED');
  await crew.expectEnd(view, { state: 'failed', calls: 2 });
});

test('five workers share the work; one killed in its call costs one call more', async () => {
  const one = { WORKER_CONCURRENCY: '1', WORKER_LOCK_MS: '4000' };
  const workers = await Promise.all(Array.from({ length: 5 }, () => crew.startWorker(one)));
  await crew.stack.images.set({ default: { kind: 'hold' } });
  const prompts = Array.from({ length: 15 }, (_, index) => `Scene ${index}`);
  const submitted = await Promise.all(prompts.map((prompt) => crew.seller.submit({ prompt })));
  // One job at a time each: five calls at once are five workers.
  const { calls } = await crew.stack.images.waitFor({ waiting: 5 });
  expect(new Set(calls.map((call) => call.prompt)).size).toBe(5);

  await workers[0]!.kill();
  await crew.stack.images.set({ default: { kind: 'ok' } });
  await crew.stack.images.release();
  const views = await Promise.all(submitted.map(({ id }) => crew.window.untilEnded(id)));
  expect(views.map((view) => view.state)).toEqual(prompts.map(() => 'succeeded'));
  const made = (await crew.stack.images.state()).calls.map((call) => call.prompt);
  expect(made).toHaveLength(prompts.length + 1);
  expect(new Set(made)).toEqual(new Set(prompts));
  await crew.expectLeft(85);
});

test('nothing is left in the folder but what rows name', async () => {
  const folder = join(crew.stack.config.storageFolder, 'generations');
  const rows = await crew.stack.models.generations.find().lean();
  const named = rows.map((each) => each._id).sort();
  expect((await readdir(folder)).sort()).toEqual(named);
});
