import { expect, test } from 'vitest';
import { createWeightedSemaphore } from './weighted-semaphore.ts';

const options = { weight: 10, maxRunning: 3, maxWaiting: 5, maxWaitSeconds: 60 };

/** Starts a task that runs until the test ends it. */
function startTask(semaphore: ReturnType<typeof createWeightedSemaphore>, weight: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const task = { hasStarted: false, end: resolve, fail: reject, done: Promise.resolve() };
  task.done = semaphore.use(weight, () => {
    task.hasStarted = true;
    return promise;
  });
  return task;
}

/** Resolves after all microtasks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('tasks start in order while their weight fits', async () => {
  const semaphore = createWeightedSemaphore(options);
  const [first, second, third, fourth] = [6, 6, 4, 1].map((weight) => startTask(semaphore, weight));
  const started = () => [first, second, third, fourth].map((task) => task!.hasStarted);
  await settled();
  // The third task would fit, but the second one is ahead of it.
  expect(started()).toEqual([true, false, false, false]);
  first!.end();
  await settled();
  expect(started()).toEqual([true, true, true, false]);
  second!.end();
  await settled();
  expect(started()).toEqual([true, true, true, true]);
});

test('the number of running tasks is bounded, whatever their weight', async () => {
  const semaphore = createWeightedSemaphore(options);
  const tasks = [0, 0, 0, 0].map((weight) => startTask(semaphore, weight));
  await settled();
  expect(tasks.map(({ hasStarted }) => hasStarted)).toEqual([true, true, true, false]);
  tasks[1]!.end();
  await settled();
  expect(tasks[3]!.hasStarted).toBe(true);
});

test('a task that is heavier than the semaphore runs alone', async () => {
  const semaphore = createWeightedSemaphore(options);
  const heavy = startTask(semaphore, 1_000);
  const light = startTask(semaphore, 1);
  await settled();
  expect([heavy.hasStarted, light.hasStarted]).toEqual([true, false]);
  heavy.end();
  await settled();
  expect(light.hasStarted).toBe(true);
});

test('a task that fails releases its weight', async () => {
  const semaphore = createWeightedSemaphore(options);
  const failing = startTask(semaphore, 10);
  const next = startTask(semaphore, 10);
  failing.fail(new Error('broken'));
  await expect(failing.done).rejects.toThrow('broken');
  await settled();
  expect(next.hasStarted).toBe(true);
});

test('a task is refused with Retry-After when too many wait', async () => {
  const semaphore = createWeightedSemaphore({ ...options, maxWaiting: 2 });
  const tasks = [10, 1, 1].map((weight) => startTask(semaphore, weight));
  await expect(startTask(semaphore, 1).done).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 10,
  });
  for (const { end, done } of tasks) {
    end();
    await done;
  }
});

test('a task that waits too long is refused, and those behind it start', async () => {
  const semaphore = createWeightedSemaphore({ ...options, maxWaitSeconds: 0.05 });
  startTask(semaphore, 5);
  const heavy = startTask(semaphore, 10);
  const light = startTask(semaphore, 5);
  await expect(heavy.done).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 10 });
  await settled();
  expect([heavy.hasStarted, light.hasStarted]).toEqual([false, true]);
});
