import { expect, test } from 'vitest';
import { replacedFile } from './replace-source.ts';
import { shortTimes } from './short-times.ts';

test.each([...Map.groupBy(shortTimes, ({ file }) => file)])(
  '%s has the times that a chaos stack shortens',
  (_file, own) => {
    const text = replacedFile(own);
    for (const { by } of own) expect(text).toContain(by);
  },
);

test('a text that is not there is an error', () => {
  const wrong = { file: 'worker/upkeep.ts', text: 'requestMs: 1_000_000', by: '' };
  expect(() => replacedFile([wrong])).toThrow('occurs 0 times in worker/upkeep.ts');
});
