import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CreditEntryList, paths } from '#contract';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller, SellerWindow } from '#tests/support/seller.ts';
import { startTestStack, type TestStack } from '#tests/support/stack.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { reconcile } from '#worker/upkeep.ts';
import type { RunningWorker } from '#worker/worker.ts';

let stack: TestStack;
let worker: RunningWorker;
let seller: Seller;
let window: SellerWindow;

beforeAll(async () => {
  stack = await startTestStack({ workers: 0 });
  worker = await stack.startWorker();
});
beforeEach(async () => {
  await stack.images.reset();
  seller = await stack.seller();
  window = await seller.openWindow();
});
afterEach(() => window.close());
afterAll(() => stack.close());

const get = (url: string) => fetch(stack.url + url, { headers: { authorization: `Bearer ${seller.token}` } });
const stop = (id: string) =>
  seller.request(paths.cancelGeneration(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ useImage: true }),
  });
const previewFiles = async (id: string) =>
  (await readdir(join(stack.config.storageFolder, 'generations', id))).filter((name) =>
    name.startsWith('preview'),
  );

/** Submits, and waits until the last preview is on show; the provider then waits to be released. */
async function untilLastPreview() {
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const { id } = await seller.submit();
  return window.until(id, (view) => view.progress?.previews === stack.config.image.previews);
}

test('keeping the last preview is no image for nothing: it is small, and stopping then uses the image', async () => {
  const { id, previewUrl } = await untilLastPreview();
  const kept = await get(previewUrl!);
  const picture = await sharp(Buffer.from(await kept.arrayBuffer())).metadata();
  expect(picture).toMatchObject({ format: 'webp', width: 512, height: 512 });
  expect(kept.headers.get('content-type')).toBe('image/webp');
  expect(kept.headers.get('cache-control')).toBe('no-store');

  // Who did not agree to use the image is not charged; it goes on.
  const asked = await seller.request(paths.cancelGeneration(id), { method: 'POST' });
  expect(asked).toMatchObject({ status: 409, body: { error: { code: 'PREVIEW_SHOWN' } } });
  expect(asked.body.error.message).toBe('There is already a preview, so stopping now uses 1 image.');
  expect(await seller.generation(id)).toMatchObject({ state: 'running', previewUrl });

  expect(await stop(id)).toMatchObject({ status: 200, body: { state: 'cancelled', imageUsed: true } });
  expect((await get(previewUrl!)).status).toBe(404);
  await expect.poll(() => previewFiles(id), eventually).toEqual([]);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 99, generationsHeld: 0 });
  const { entries } = (await seller.request<CreditEntryList>(paths.creditEntries)).body;
  expect(entries.filter((entry) => entry.generation?.id === id)).toMatchObject([
    { kind: 'settle', count: 1, generation: { state: 'cancelled' } },
  ]);
  expect(await stack.audit()).toEqual([]);
});

test('a preview is there only while it is the newest of a generation that runs', async () => {
  const { id, previewUrl } = await untilLastPreview();
  const first = window.heard.find((view) => view.id === id && view.previewUrl)!.previewUrl!;
  expect(first).not.toBe(previewUrl);
  expect((await get(first)).status).toBe(404);
  expect((await get(`${previewUrl}-thumbnail`)).status).toBe(404);
  expect((await get(previewUrl!)).status).toBe(200);
  const stranger = await stack.seller();
  expect((await stranger.request(previewUrl!)).status).toBe(404);

  await stack.images.release();
  const made = await window.untilEnded(id);
  expect(made).toMatchObject({ state: 'succeeded', imageUsed: true });
  expect((await get(previewUrl!)).status).toBe(404);
  await expect.poll(() => previewFiles(id), eventually).toEqual([]);
});

test('while it waits for another try there is no preview, and cancelling is free', async () => {
  const patient = await stack.startWorker({ PROVIDER_BACKOFF_MS: '60000' });
  await worker.close();
  // One preview, then the answer breaks off.
  await stack.images.set({ behaviours: [{ kind: 'truncate' }] });
  const { id } = await seller.submit();
  const waiting = await window.until(id, (view) => view.progress?.stage === 'waiting');
  const shown = window.heard.find((view) => view.id === id && view.previewUrl)!.previewUrl!;
  expect(waiting.previewUrl).toBeNull();
  expect((await get(shown)).status).toBe(404);
  // Also for who agreed to more.
  expect(await stop(id)).toMatchObject({ status: 200, body: { state: 'cancelled', imageUsed: false } });
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
  // No attempt comes to an end any more: what is left of the files is upkeep's.
  expect(await previewFiles(id)).not.toEqual([]);
  expect(await reconcile(workerContext(stack), atOnce)).toMatchObject({ previewsRemoved: 1 });
  expect(await previewFiles(id)).toEqual([]);
  expect(await reconcile(workerContext(stack), atOnce)).toMatchObject({ previewsRemoved: 0 });
  expect(await stack.audit()).toEqual([]);
  await patient.close();
  worker = await stack.startWorker();
});

test('a preview that comes after a free cancel is shown to nobody, and nothing of it stays', async () => {
  await worker.close();
  const mongo = await startTcpProxy(stack.config.mongodbUrl);
  const watched = await stack.startWorker({ MONGODB_URL: mongo.url });
  const held = mongo.holdAt('preview-1-0');
  const { id } = await seller.submit();
  // The file is stored, and the row is about to name it.
  await held;
  expect(await previewFiles(id)).toEqual(['preview-1-0.webp']);
  expect((await get(paths.generationImage(id, 'preview-1-0'))).status).toBe(404);
  expect(await stop(id)).toMatchObject({ status: 200, body: { state: 'cancelled', imageUsed: false } });
  mongo.letGo();
  await expect.poll(() => previewFiles(id), eventually).toEqual([]);
  await expect
    .poll(() => stack.db.generations.findById(id).lean(), eventually)
    .not.toHaveProperty('previews_left');
  expect((await get(paths.generationImage(id, 'preview-1-0'))).status).toBe(404);
  expect(window.heard.filter((view) => view.id === id && view.previewUrl !== null)).toEqual([]);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
  expect(await stack.audit()).toEqual([]);
  await watched.close();
  await mongo.close();
  worker = await stack.startWorker();
});
