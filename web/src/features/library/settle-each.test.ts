import { expect, it } from 'vitest';
import { settleEach } from './settle-each.ts';

it('runs a few at a time and keeps the order, whatever fails', async () => {
  let running = 0;
  let most = 0;
  const results = await settleEach([...Array(20).keys()], async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (item === 3) throw new Error('refused');
    return item * 2;
  });
  expect(most).toBe(6);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : null))).toEqual([
    0,
    2,
    4,
    null,
    ...Array.from({ length: 16 }, (_, index) => (index + 4) * 2),
  ]);
});
