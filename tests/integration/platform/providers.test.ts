/** What every image provider does for the worker, whoever makes the image. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type GenerationSet, imageProviderNames, paths } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { sharp } from '#shared/platform/sharp.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithStack } from '#tests/support/test.ts';
import type { ProviderRequest } from '#worker/providers/provider.ts';
import { startProvider } from '#worker/providers/providers.ts';

const test = testWithStack({ workers: 0 });

const request = async (change: Partial<ProviderRequest> = {}): Promise<ProviderRequest> => ({
  generation: {} as GenerationRow,
  seller: '656f00000000000000000001',
  prompt: 'a cup on a table',
  mask: null,
  quality: 'low',
  seed: null,
  photos: [new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' })],
  width: 1536,
  height: 1024,
  background: 'opaque',
  signal: new AbortController().signal,
  onAccepted() {},
  onPreview() {},
  ...change,
});

test.for(imageProviderNames)('%s: accepts, previews, then an image of the size', async (name, { stack }) => {
  const provider = startProvider({ ...stack.config.image, provider: name });
  await provider.ready();
  const seen: string[] = [];
  const result = await provider.edit(
    await request({
      onAccepted: () => void seen.push('accepted'),
      onPreview: (png, index) => void seen.push(`preview ${index} ${png.subarray(1, 4)}`),
    }),
  );
  expect(seen).toEqual(['accepted', 'preview 0 PNG', 'preview 1 PNG']);
  expect(result.milliseconds).toBeGreaterThanOrEqual(0);
  expect(await sharp(result.image).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 });
  await provider.close();
});

test.for(imageProviderNames)(
  '%s: a call that is stopped before it begins is not made',
  async (name, { stack }) => {
    const provider = startProvider({ ...stack.config.image, provider: name });
    const stopped = request({
      signal: AbortSignal.abort(),
      onAccepted: () => expect.unreachable('it was made'),
    });
    await expect(provider.edit(await stopped)).rejects.toMatchObject({ kind: 'aborted' });
    await provider.close();
  },
);

test.for(imageProviderNames)('%s: a photo that is none is refused as one', async (name, { stack }) => {
  const provider = startProvider({ ...stack.config.image, provider: name });
  const broken = request({ photos: [new Blob(['not a photo'], { type: 'image/png' })] });
  await expect(provider.edit(await broken)).rejects.toMatchObject({ kind: 'photos' });
  await provider.close();
});

test('echo: a call ends when it is stopped between previews, or its provider closes', async ({ stack }) => {
  for (const stopBy of ['signal', 'close']) {
    const provider = startProvider({ ...stack.config.image, provider: 'echo' });
    const stop = new AbortController();
    const onPreview = () => void (stopBy === 'signal' ? stop.abort() : provider.close());
    const call = provider.edit(await request({ signal: stop.signal, onPreview }));
    await expect(call, stopBy).rejects.toMatchObject({ kind: 'aborted' });
  }
});

test('echo: a worker makes an image and a change of a marked area with it, and the audit agrees', async ({
  stack,
}) => {
  await stack.images.reset();
  await stack.startWorker({ IMAGE_PROVIDER: 'echo' });
  const seller = await stack.seller({ plan: 'enterprise' });
  const window = await seller.openWindow();
  const { id } = await seller.submit();
  expect(await window.untilEnded(id)).toMatchObject({ state: 'succeeded', options: { width: 1_024 } });
  const { body } = await seller.request<GenerationSet>(paths.changes(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      instruction: 'a green wall',
      marks: [{ kind: 'rectangle', left: 0, top: 0, width: 300, height: 300 }],
    }),
  });
  expect((await window.untilEnded(body.generations[0]!.id)).state).toBe('succeeded');
  expect((await stack.images.state()).calls).toEqual([]);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
