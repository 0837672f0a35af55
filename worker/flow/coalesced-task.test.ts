import { expect, test, vi } from 'vitest';
import { createCoalescedTask } from './coalesced-task.ts';

test('requests during a run cause one more run, and one at a time', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const task = createCoalescedTask(() => {
    runs.push(Promise.withResolvers<void>());
    return runs.at(-1)!.promise;
  }, vi.fn());
  for (let requests = 0; requests < 3; requests += 1) task.request();
  expect(runs).toHaveLength(1);
  runs[0]!.resolve();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]!.resolve();
  await task.stop();
  expect(runs).toHaveLength(2);
});

test('a run that fails is reported, and the next request runs again', async () => {
  const onError = vi.fn();
  const run = vi.fn().mockRejectedValueOnce(new Error('failed')).mockResolvedValue(undefined);
  const task = createCoalescedTask(run, onError);
  task.request();
  await expect.poll(() => onError.mock.calls).toEqual([[new Error('failed')]]);
  task.request();
  expect(run).toHaveBeenCalledTimes(2);
  await task.stop();
});

test('after a stop nothing runs', async () => {
  const run = vi.fn();
  const task = createCoalescedTask(run, vi.fn());
  await task.stop();
  task.request();
  expect(task.isStopped()).toBe(true);
  expect(run).not.toHaveBeenCalled();
});
