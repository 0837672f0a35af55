import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

test('the last answers are remembered by their key, and one that failed is asked for again', async () => {
  const recent = createRecent<string>(2);
  const runs: string[] = [];
  const ask = (key: string) =>
    recent(key, async () => {
      runs.push(key);
      if (key === 'fails') throw new Error('failed');
      return `answer to ${key}`;
    });
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([
    'answer to a',
    'answer to a',
    'answer to b',
  ]);
  // Asked for again, so b is the older one, and gives way.
  await ask('a');
  await ask('c');
  await ask('a');
  await ask('b');
  expect(runs).toEqual(['a', 'b', 'c', 'b']);
  await expect(ask('fails')).rejects.toThrow('failed');
  await expect(ask('fails')).rejects.toThrow('failed');
  expect(runs.slice(4)).toEqual(['fails', 'fails']);
});
