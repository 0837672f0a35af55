import { expect, test } from 'vitest';
import { createWeightedSemaphore } from './weighted-semaphore.ts';

const options = { weight: 10, atOnce: 3, mostWaiting: 5, mostWaitSeconds: 60 };

/** Work that is under way until it is told to end. */
function openEnded(semaphore: ReturnType<typeof createWeightedSemaphore>, weight: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const work = { hasBegun: false, end: resolve, fail: reject, done: Promise.resolve() };
  work.done = semaphore.use(weight, () => {
    work.hasBegun = true;
    return promise;
  });
  return work;
}

/** What is to happen at once has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('work begins while its weight fits, in the order in which it came', async () => {
  const semaphore = createWeightedSemaphore(options);
  const [first, second, third, fourth] = [6, 6, 4, 1].map((weight) => openEnded(semaphore, weight));
  const begun = () => [first, second, third, fourth].map((work) => work!.hasBegun);
  await settled();
  // The third would fit beside the first, but the second came before it.
  expect(begun()).toEqual([true, false, false, false]);
  first!.end();
  await settled();
  expect(begun()).toEqual([true, true, true, false]);
  second!.end();
  await settled();
  expect(begun()).toEqual([true, true, true, true]);
});

test('no more pieces of work run than may, however light they are', async () => {
  const semaphore = createWeightedSemaphore(options);
  const works = [0, 0, 0, 0].map((weight) => openEnded(semaphore, weight));
  await settled();
  expect(works.map(({ hasBegun }) => hasBegun)).toEqual([true, true, true, false]);
  works[1]!.end();
  await settled();
  expect(works[3]!.hasBegun).toBe(true);
});

test('what is heavier than the whole runs alone', async () => {
  const semaphore = createWeightedSemaphore(options);
  const heavy = openEnded(semaphore, 1_000);
  const light = openEnded(semaphore, 1);
  await settled();
  expect([heavy.hasBegun, light.hasBegun]).toEqual([true, false]);
  heavy.end();
  await settled();
  expect(light.hasBegun).toBe(true);
});

test('work that fails gives its weight back', async () => {
  const semaphore = createWeightedSemaphore(options);
  const failing = openEnded(semaphore, 10);
  const next = openEnded(semaphore, 10);
  failing.fail(new Error('broken'));
  await expect(failing.done).rejects.toThrow('broken');
  await settled();
  expect(next.hasBegun).toBe(true);
});

test('who comes when too many wait is sent away with a time to try again', async () => {
  const semaphore = createWeightedSemaphore({ ...options, mostWaiting: 2 });
  for (const weight of [10, 1, 1]) openEnded(semaphore, weight);
  await expect(openEnded(semaphore, 1).done).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 10,
  });
});

test('who waits too long is sent away, and those behind it take their turn', async () => {
  const semaphore = createWeightedSemaphore({ ...options, mostWaitSeconds: 0.05 });
  openEnded(semaphore, 5);
  const heavy = openEnded(semaphore, 10);
  const light = openEnded(semaphore, 5);
  await expect(heavy.done).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 10 });
  await settled();
  expect([heavy.hasBegun, light.hasBegun]).toEqual([false, true]);
});
