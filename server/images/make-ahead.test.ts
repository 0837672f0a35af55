import { expect, test } from 'vitest';
import { makeAhead } from './make-ahead.ts';

/** Files that are made when a test says so. */
function startMaking(count: number, bytes: number, isFree: (making: number) => boolean) {
  const made: PromiseWithResolvers<{ file: Uint8Array }>[] = [];
  const next = makeAhead(
    Array.from({ length: count }, (_, index) => index),
    (index) => {
      made[index] = Promise.withResolvers();
      return made[index].promise;
    },
    isFree,
  );
  const finish = async (index: number) => {
    made[index]!.resolve({ file: new Uint8Array(bytes).fill(index) });
    // What follows from it has begun.
    await new Promise(setImmediate);
  };
  return { next, finish, begun: () => made.length, made };
}

test('two files are made at a time while nobody else waits, and given in their order', async () => {
  const { next, finish, begun } = startMaking(4, 1, () => true);
  expect(begun()).toBe(2);
  await finish(1);
  expect(begun()).toBe(3);
  const first = next();
  await finish(0);
  expect((await first).file).toEqual(Uint8Array.of(0));
  expect((await next()).file).toEqual(Uint8Array.of(1));
  await finish(2);
  await finish(3);
  expect((await next()).file).toEqual(Uint8Array.of(2));
  expect((await next()).file).toEqual(Uint8Array.of(3));
});

test('one is made at a time while others have images worked on', async () => {
  const { next, finish, begun } = startMaking(3, 1, () => false);
  expect(begun()).toBe(1);
  await finish(0);
  expect(begun()).toBe(2);
  await next();
  expect(begun()).toBe(2);
});

test('a reader who takes nothing has six files made for it, and fewer if they are large', async () => {
  const small = startMaking(20, 1, () => true);
  for (let index = 0; index < 6; index += 1) await small.finish(index);
  expect(small.begun()).toBe(6);
  await small.next();
  expect(small.begun()).toBe(7);

  const large = startMaking(20, 4 * 1024 * 1024, () => true);
  await large.finish(0);
  // The second was begun beside the first.
  expect(large.begun()).toBe(2);
  await large.finish(1);
  await large.next();
  expect(large.begun()).toBe(2);
  await large.next();
  expect(large.begun()).toBe(4);
});

test('an error is thrown in its turn, and nothing is begun after it by the others', async () => {
  const { next, finish, made, begun } = startMaking(9, 1, () => true);
  made[1]!.reject(new Error('the image is gone'));
  await finish(0);
  await next();
  await expect(next()).rejects.toThrow('the image is gone');
  expect(begun()).toBe(2);
});
