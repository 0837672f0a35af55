import { expect, test } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { createRandom } from '#tests/support/random.ts';
import { createFairQueue, type FairQueueRule, type Turn } from './fair-queue.ts';

const refused = new Error('full');
/** Resolves after all microtasks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A queue whose tasks run until `finish`, and the tasks that were started and refused so far, by name. */
function queueOf(rule: Partial<FairQueueRule> = {}) {
  const queue = createFairQueue({ atOnce: 1, mostWaiting: 100, refusal: () => refused, ...rule });
  const begun: string[] = [];
  const failed: [name: string, error: unknown][] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, turn: Omit<Turn, 'key'> = {}) => {
    // The first letter is the key.
    queue({ key: name[0]!, ...turn }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }).catch((error) => failed.push([name, error]));
  };
  return {
    begun,
    failed,
    rejected: () => failed.filter(([, error]) => error === refused).map(([name]) => name),
    askOne: ask,
    async ask(...names: string[]) {
      for (const name of names) ask(name);
      await settled();
    },
    running: () => [...ends.keys()],
    async end(name: string) {
      ends.get(name)!();
      ends.delete(name);
      await settled();
    },
    /** Ends the oldest running tasks. */
    async finish(count: number) {
      for (; count > 0; count -= 1) await this.end(this.running()[0]!);
    },
  };
}

test('keys take turns, each with its oldest task', async () => {
  const { ask, begun, ...queue } = queueOf();
  await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  await queue.finish(2);
  await ask('d1');
  await queue.finish(6);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3', 'a4']);
});

test('a key with fewer tasks under way goes first, whoever asked first', async () => {
  const { ask, begun, end } = queueOf({ atOnce: 2 });
  await ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2');
  await end('a1');
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  await end('a3');
  expect(begun.at(-1)).toBe('a4');
});

test('a key that had nothing waits for no further task of a key with tasks under way, and for one of any other', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = createRandom(seed);
  const keys = ['a', 'b', 'c', 'd'];
  const { ask, begun, end, running } = queueOf({ atOnce: 3, mostWaiting: 1_000 });
  const asked = new Map<string, { at: number; busy: Set<string> }>();
  const open = (key: string) => [...asked.keys()].filter((name) => name[0] === key && !ended.has(name));
  const ended = new Set<string>();
  for (let step = 0; step < 2_000; step += 1) {
    if (random.chance(0.5) || running().length === 0) {
      // One key asks for much more than the others.
      const key = random.chance(0.7) ? 'a' : random.pick(keys);
      if (open(key).length === 0) {
        const busy = new Set(running().map((name) => name[0]!));
        asked.set(`${key}${step}`, { at: begun.length, busy });
      } else asked.set(`${key}${step}`, { at: Number.NaN, busy: new Set() });
      await ask(`${key}${step}`);
    } else {
      const name = random.pick(running());
      ended.add(name);
      await end(name);
    }
  }
  for (const [name, { at, busy }] of asked) {
    const began = begun.indexOf(name);
    if (Number.isNaN(at) || began < 0) continue;
    const before = begun.slice(at, began).map((other) => other[0]!);
    for (const key of keys) {
      const starts = before.filter((each) => each === key).length;
      expect(starts, `seed ${seed}, ${name} after ${key}`).toBeLessThanOrEqual(busy.has(key) ? 0 : 1);
    }
  }
});

test('one key may fill the queue; then the newest task of the longest key is refused for one of a shorter key', async () => {
  const { ask, begun, rejected, ...queue } = queueOf({ mostWaiting: 4 });
  await ask('a0', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(rejected()).toEqual(['a5']);
  await ask('b1', 'c1');
  expect(rejected()).toEqual(['a5', 'a4', 'a3']);
  // Two of a, one of b and of c: with one more, b would have as many as a.
  await ask('b2', 'a6');
  expect(rejected()).toEqual(['a5', 'a4', 'a3', 'b2', 'a6']);
  await ask('d1');
  await ask('e1');
  expect(rejected()).toEqual(['a5', 'a4', 'a3', 'b2', 'a6', 'a2', 'e1']);
  await queue.finish(5);
  expect(begun).toEqual(['a0', 'b1', 'c1', 'd1', 'a1']);
});

test('a key has a limit of its own, also while the queue has room', async () => {
  const { ask, begun, rejected, ...queue } = queueOf({ mostWaitingOfKey: 2 });
  await ask('a1', 'a2', 'a3', 'a4', 'b1');
  expect(rejected()).toEqual(['a4']);
  await queue.finish(4);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('tasks start while their weight fits; a lighter one does not overtake', async () => {
  const { askOne, begun, end } = queueOf({ atOnce: 3, weight: 10 });
  for (const [name, weight] of [
    ['a6', 6],
    ['b6', 6],
    ['c4', 4],
    ['d1', 1],
    // More than the whole.
    ['e99', 99],
  ] as const)
    askOne(name, { weight });
  await settled();
  expect(begun).toEqual(['a6']);
  await end('a6');
  expect(begun).toEqual(['a6', 'b6', 'c4']);
  await end('b6');
  expect(begun).toEqual(['a6', 'b6', 'c4', 'd1']);
  await end('c4');
  expect(begun).not.toContain('e99');
  await end('d1');
  expect(begun.at(-1)).toBe('e99');
});

test('a task that waits too long is refused, and those behind it start', async () => {
  const { askOne, begun, rejected } = queueOf({ atOnce: 3, weight: 10, waitSeconds: limitMs(50) / 1_000 });
  askOne('a5', { weight: 5 });
  askOne('b10', { weight: 10 });
  await settled();
  askOne('c5', { weight: 5 });
  await expect.poll(rejected, { timeout: limitMs(5_000) }).toEqual(['b10']);
  await settled();
  expect(begun).toEqual(['a5', 'c5']);
});

test('a task that nobody waits for any longer is given up, and those behind it start', async () => {
  const { askOne, begun, failed, end } = queueOf();
  const gone = new AbortController();
  const reason = new Error('gone');
  askOne('a1', { signal: gone.signal });
  askOne('b1', { signal: gone.signal });
  askOne('c1');
  await settled();
  gone.abort(reason);
  await settled();
  askOne('d1', { signal: gone.signal });
  await settled();
  // The one that runs goes on.
  expect(failed).toEqual([
    ['b1', reason],
    ['d1', reason],
  ]);
  await end('a1');
  expect(begun).toEqual(['a1', 'c1']);
});

test('a failed task frees its place, and its error goes to its caller', async () => {
  const queue = createFairQueue({ atOnce: 2, mostWaiting: 10, refusal: () => refused });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      queue({ key: 'a' }, async () => {
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
      queue({ key: String(index % 3) }, async () => {
        running += 1;
        most = Math.max(most, running);
        await settled();
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
});
