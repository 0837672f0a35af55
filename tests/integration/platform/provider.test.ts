/** Calls of the provider: the row of failed ones, which opens the breaker, and the thread of a worker's calls. */
import { expect } from 'vitest';
import { clearProviderFailures, countProviderFailure } from '#shared/data/queue/provider-flow.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { testWithStack } from '#tests/support/test.ts';
import { startOpenAi } from '#worker/providers/openai/start.ts';

const test = testWithStack({ workers: 0 });

test('failures at the same moment all count, also those that begin the row', async ({ stack }) => {
  const { db } = stack;
  const cutoff = new Date(Date.now() - 60_000);
  const countAtOnce = (count: number, since = cutoff) =>
    Promise.all(Array.from({ length: count }, () => countProviderFailure(db, since)));
  const sorted = (counts: number[]) => counts.toSorted((one, other) => one - other);
  expect(sorted(await countAtOnce(8))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await countAtOnce(1)).toEqual([9]);
  await clearProviderFailures(db);
  expect(sorted(await countAtOnce(3))).toEqual([1, 2, 3]);
  // Those before the cutoff are of an earlier row.
  expect(await countAtOnce(1, new Date(Date.now() + 1))).toEqual([1]);
});

test.beforeEach(({ stack }) => stack.images.reset());

const request = async () =>
  ({
    prompt: 'a cup',
    photos: [await photo()],
    mask: null,
    quality: 'low',
    seed: null,
    width: 1024,
    height: 1024,
    background: 'opaque',
    signal: new AbortController().signal,
    onAccepted() {},
    onPreview() {},
  }) as const satisfies Parameters<ReturnType<typeof startOpenAi>['edit']>[0];

const photo = async () => new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' });

test('a call that is stopped before it begins is not made', async ({ stack }) => {
  const provider = startOpenAi(stack.config.image);
  const stopped = provider.edit({ ...(await request()), signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ kind: 'aborted' });
  // Whatever would have been sent before it has arrived with this one.
  await provider.edit(await request());
  expect((await stack.images.state()).calls).toHaveLength(1);
  await provider.close();
});

test('when the thread ends, its calls count as lost, and the next call starts another one', async ({
  stack,
}) => {
  const provider = startOpenAi(stack.config.image);
  await stack.images.set({ behaviours: [{ kind: 'hold', after: 'previews' }] });
  const accepted = Promise.withResolvers<void>();
  const lost = provider.edit({ ...(await request()), onAccepted: () => accepted.resolve() });
  await accepted.promise;
  await Promise.all([
    expect(lost).rejects.toMatchObject({ kind: 'server', message: 'the thread of the call ended' }),
    provider.close(),
  ]);

  const { image, milliseconds } = await provider.edit(await request());
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  expect(milliseconds).toBeGreaterThan(0);
  await provider.close();
});
