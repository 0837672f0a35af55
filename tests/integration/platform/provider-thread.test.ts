/** The thread of a worker's provider calls. */
import { expect } from 'vitest';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createProvider } from '#worker/provider.ts';

const test = testWithStack({ workers: 0 });
test.beforeEach(({ stack }) => stack.images.reset());

test('when the thread ends, its calls count as lost, and the next call starts another one', async ({
  stack,
}) => {
  const provider = createProvider(stack.config.image);
  const photo = new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' });
  const call = (onAccepted: () => void) =>
    provider.edit({
      ...{ prompt: 'a cup', photos: [photo], mask: null, quality: 'low', seed: null },
      ...{ width: 1024, height: 1024, background: 'opaque' },
      signal: new AbortController().signal,
      onAccepted,
      onPreview() {},
    });

  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const accepted = Promise.withResolvers<void>();
  const lost = call(accepted.resolve);
  await accepted.promise;
  await Promise.all([
    expect(lost).rejects.toMatchObject({ kind: 'server', message: 'the thread of the call ended' }),
    provider.close(),
  ]);

  const { image, milliseconds } = await call(() => {});
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  expect(milliseconds).toBeGreaterThan(0);
  await provider.close();
});
