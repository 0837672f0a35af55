/** A preview that comes too late. */
import { expect, onTestFinished } from 'vitest';
import { paths } from '#contract';
import { eventually } from '#tests/support/harness.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { previewFiles, testPreviews } from './previews-steps.ts';

const test = testPreviews();

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
  expect(window.views.filter((view) => view.id === id && view.previewUrl !== null)).toEqual([]);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
