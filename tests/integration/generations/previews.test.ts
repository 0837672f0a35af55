/** Previews: who sees them, what a cancel uses after them, and what is left of them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished } from 'vitest';
import { type CreditEntryList, paths } from '#contract';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { limitMs } from '#tests/support/machine.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';
import type { RunningWorker } from '#worker/worker.ts';

const test = testWithSeller({ workers: 0 }).extend('worker', async ({ stack }, { onCleanup }) => {
  const worker = await stack.startWorker();
  onCleanup(() => worker.close());
  return worker;
});
test.beforeEach(({ stack }) => stack.images.reset());

const previewFiles = async (stack: TestStack, id: string) =>
  (await readdir(join(stack.storageFolder, 'generations', id))).filter((name) => name.startsWith('preview'));

/**
 * Submits and waits for the last preview. The provider then waits for a release.
 * @param _worker must be running
 */
async function untilLastPreview(
  stack: TestStack,
  _worker: RunningWorker,
  seller: Seller,
  window: SellerWindow,
) {
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const { id } = await seller.submit();
  return window.until(id, (view) => view.progress?.previews === stack.config.image.previews);
}

test('the last preview is no free image: it is small, and a cancel then uses the image', async ({
  stack,
  worker,
  seller,
  window,
}) => {
  const { id, previewUrl } = await untilLastPreview(stack, worker, seller, window);
  const preview = await seller.fetch(previewUrl!);
  const metadata = await sharp(Buffer.from(await preview.arrayBuffer())).metadata();
  expect(metadata).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
  expect(preview.headers.get('content-type')).toBe('image/jpeg');
  expect(preview.headers.get('cache-control')).toBe('no-store');

  // Without the seller's agreement to use the image, the cancel is refused and the generation continues.
  const refused = await seller.cancel(id);
  const message = 'There is already a preview, so stopping now uses 1 image.';
  expectError(refused, 'PREVIEW_SHOWN', { message });
  expect(await seller.generation(id)).toMatchObject({ state: 'running', previewUrl });

  expect(await seller.cancel(id, true)).toMatchObject({
    status: 200,
    body: { state: 'cancelled', imageUsed: true },
  });
  expect((await seller.fetch(previewUrl!)).status).toBe(404);
  await expect.poll(() => previewFiles(stack, id), eventually).toEqual([]);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  const { entries } = (await seller.request<CreditEntryList>(paths.creditEntries)).body;
  expect(entries.filter((entry) => entry.generation?.id === id)).toMatchObject([
    { kind: 'settle', count: 1, generation: { state: 'cancelled' } },
  ]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a preview can be read only while it is the newest one of a running generation', async ({
  stack,
  worker,
  seller,
  window,
}) => {
  const { id, previewUrl } = await untilLastPreview(stack, worker, seller, window);
  // A slow machine may never show it: the next one has come already.
  const first = previewUrl!.replace(/-1$/, '-0');
  expect(first).not.toBe(previewUrl);
  expect((await seller.fetch(first)).status).toBe(404);
  expect((await seller.fetch(`${previewUrl}-thumbnail`)).status).toBe(404);
  expect((await seller.fetch(previewUrl!)).status).toBe(200);
  const stranger = await stack.seller();
  expect((await stranger.request(previewUrl!)).status).toBe(404);

  await stack.images.release();
  const made = await window.untilEnded(id);
  expect(made).toMatchObject({ state: 'succeeded', imageUsed: true });
  expect((await seller.fetch(previewUrl!)).status).toBe(404);
  await expect.poll(() => previewFiles(stack, id), eventually).toEqual([]);
});

test('while a generation waits for another try it has no preview, and cancelling is free', async ({
  stack,
  seller,
  window,
}) => {
  const provider = await startTcpProxy(stack.config.image.baseUrl!);
  const worker = await stack.startWorker({
    PROVIDER_BACKOFF_MS: String(limitMs(60_000)),
    OPENAI_BASE_URL: provider.url,
  });
  onTestFinished(async () => {
    await worker.close();
    await provider.close();
  });
  const { id, previewUrl: shown } = await untilLastPreview(stack, worker, seller, window);
  provider.cut();
  const waiting = await window.until(id, (view) => view.progress?.stage === 'waiting');
  expect(waiting.previewUrl).toBeNull();
  expect((await seller.fetch(shown!)).status).toBe(404);
  // It is free even though the seller agreed to use the image.
  expect(await seller.cancel(id, true)).toMatchObject({
    status: 200,
    body: { state: 'cancelled', imageUsed: false },
  });
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
  // No attempt is left that could remove the files, so upkeep does.
  expect(await previewFiles(stack, id)).not.toEqual([]);
  expect(await runUpkeep(workerContext(stack), atOnce)).toMatchObject({ previewsRemoved: 1 });
  expect(await previewFiles(stack, id)).toEqual([]);
  expect(await runUpkeep(workerContext(stack), atOnce)).toMatchObject({ previewsRemoved: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a preview that is stored after a free cancel is never shown, and its file is removed', async ({
  stack,
  seller,
  window,
}) => {
  const mongo = await startTcpProxy(stack.config.mongodbUrl);
  const worker = await stack.startWorker({ MONGODB_URL: mongo.url });
  onTestFinished(async () => {
    await worker.close();
    await mongo.close();
  });
  const held = mongo.holdAt('preview-1-0');
  const { id } = await seller.submit();
  // The file is stored, and the write of its key is held.
  await held;
  expect(await previewFiles(stack, id)).toEqual(['preview-1-0.jpg']);
  expect((await seller.fetch(paths.generationImage(id, 'preview-1-0'))).status).toBe(404);
  expect(await seller.cancel(id, true)).toMatchObject({
    status: 200,
    body: { state: 'cancelled', imageUsed: false },
  });
  mongo.release();
  await expect.poll(() => previewFiles(stack, id), eventually).toEqual([]);
  await expect
    .poll(() => stack.models.generations.findById(id).lean(), eventually)
    .not.toHaveProperty('previews_left');
  expect((await seller.fetch(paths.generationImage(id, 'preview-1-0'))).status).toBe(404);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
  // The events of the first image come before those of the next one.
  await window.untilEnded((await seller.submit()).id);
  expect(window.views.filter((view) => view.id === id && view.previewUrl !== null)).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
