import { expect } from 'vitest';
import { claimGeneration } from '#shared/data/generations/attempts.ts';
import { decisionText, eventually, expectFolders, testWithHarness } from '#tests/support/harness.ts';

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

test('killed between claim and provider call: another worker makes the image with one call, and the other is counted as lost', async ({
  harness,
}) => {
  const { id } = await harness.seller.submit();
  // The last thing that the first worker does.
  await claimGeneration(harness.stack.db, id, 1, 2);
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 1 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 1 });
});

test('killed during the provider call: the call is repeated once, and one image is used', async ({
  harness,
}) => {
  await harness.stack.images.set({ behaviours: [{ kind: 'hold' }] });
  const first = await harness.startWorkerProcess();
  const { id } = await harness.seller.submit();
  await harness.stack.images.waitFor({ waiting: 1 });
  await first.kill();
  await harness.startWorker();
  await harness.expectEnd(await harness.untilEnded(id), { state: 'succeeded', calls: 2 });
  expect((await harness.row(id)).calls).toMatchObject({ started: 2, lost: 1 });
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

test('killed between storing the outcome and settling: the reconciler settles the generation', async ({
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
