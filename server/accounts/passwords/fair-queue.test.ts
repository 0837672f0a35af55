import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const refused = new Error('full');

/** A queue with one at a time, whose work ends when it is told to, and what has begun and been refused so far. */
function queueOf(mostWaiting: number) {
  const queue = createFairQueue({ atOnce: 1, mostWaiting, refusal: () => refused });
  const begun: string[] = [];
  const sentAway: string[] = [];
  let end = () => {};
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    sentAway,
    async ask(...names: string[]) {
      for (const name of names) {
        // The first letter is who asks.
        queue(name[0]!, () => {
          begun.push(name);
          return new Promise<void>((resolve) => {
            end = resolve;
          });
        }).catch((error) => {
          expect(error).toBe(refused);
          sentAway.push(name);
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

test('those who ask take turns, each with the oldest of their own', async () => {
  const { ask, finish, begun } = queueOf(100);
  await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  await finish(2);
  await ask('d1');
  await finish(6);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'd1', 'a4']);
});

test('one alone may fill it; then the newest of whoever has most makes way for who has less', async () => {
  const { ask, finish, begun, sentAway } = queueOf(4);
  await ask('a0', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(sentAway).toEqual(['a5']);
  await ask('b1', 'c1');
  expect(sentAway).toEqual(['a5', 'a4', 'a3']);
  // Two of a, one of b and of c: one more of each would have as much as a.
  await ask('b2', 'a6');
  expect(sentAway).toEqual(['a5', 'a4', 'a3', 'b2', 'a6']);
  await ask('d1');
  await ask('e1');
  expect(sentAway).toEqual(['a5', 'a4', 'a3', 'b2', 'a6', 'a2', 'e1']);
  await finish(5);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'd1']);
});

test('work that fails makes way like any other, and its error is for who asked', async () => {
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

test('never more at once than it says', async () => {
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
