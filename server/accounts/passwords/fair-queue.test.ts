import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const refused = new Error('full');

/** A queue that runs one task at a time until `finish`, and the tasks that were started and rejected so far. */
function queueOf(mostWaiting: number) {
  const queue = createFairQueue({ atOnce: 1, mostWaiting, refusal: () => refused });
  const begun: string[] = [];
  const rejected: string[] = [];
  let end = () => {};
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    rejected,
    async ask(...names: string[]) {
      for (const name of names) {
        // The first letter is the key.
        queue(name[0]!, () => {
          begun.push(name);
          return new Promise<void>((resolve) => {
            end = resolve;
          });
        }).catch((error) => {
          expect(error).toBe(refused);
          rejected.push(name);
        });
      }
      await settled();
    },
    async finish(count: number) {
      for (; count > 0; count -= 1) {
        end();
        await settled();
      }
    },
  };
}

test('keys take turns, each with its oldest task', async () => {
  const { ask, finish, begun } = queueOf(100);
  await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  await finish(2);
  await ask('d1');
  await finish(6);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'd1', 'a4']);
});

test('one key may fill the queue; then the newest task of the longest key is rejected for one of a shorter key', async () => {
  const { ask, finish, begun, rejected } = queueOf(4);
  await ask('a0', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(rejected).toEqual(['a5']);
  await ask('b1', 'c1');
  expect(rejected).toEqual(['a5', 'a4', 'a3']);
  // Two of a, one of b and of c: with one more, b would have as many as a.
  await ask('b2', 'a6');
  expect(rejected).toEqual(['a5', 'a4', 'a3', 'b2', 'a6']);
  await ask('d1');
  await ask('e1');
  expect(rejected).toEqual(['a5', 'a4', 'a3', 'b2', 'a6', 'a2', 'e1']);
  await finish(5);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'd1']);
});

test('a failed task frees its slot, and its error goes to its caller', async () => {
  const queue = createFairQueue({ atOnce: 2, mostWaiting: 10, refusal: () => refused });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      queue('a', async () => {
        if (index % 2 === 0) throw new Error(`no ${index}`);
        return index;
      }),
    ),
  );
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    'no 0',
    1,
    'no 2',
    3,
    'no 4',
    5,
  ]);
});

test('runs at most `atOnce` tasks at the same time', async () => {
  const queue = createFairQueue({ atOnce: 2, mostWaiting: 100, refusal: () => refused });
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      queue(String(index % 3), async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
});
