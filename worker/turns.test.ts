import { expect, it } from 'vitest';
import { inTurns } from './turns.ts';

it('runs steps in order, at most so many at the same time, also after one that failed', async () => {
  const run = inTurns(2);
  const steps = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const began: number[] = [];
  const results = steps.map(({ promise }, index) =>
    run(() => {
      began.push(index);
      return promise;
    }),
  );
  expect(began).toEqual([0, 1]);
  steps[1]!.reject(new Error('as planned'));
  await expect(results[1]).rejects.toThrow('as planned');
  expect(began).toEqual([0, 1, 2]);
  for (const [index, { resolve }] of steps.entries()) resolve(index);
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(began).toEqual([0, 1, 2, 3, 4]);
});
