import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { errorDefinitions } from './errors.ts';
import { askedTest, testScenes } from './test-scenes.ts';

test('the guide lists each scene with what happens and what a program gets', async () => {
  const guide = await readFile(join(rootFolder, 'web/src/content/guides/more-with-the-api.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(test: .*)$/gm)].map(([line]) => line);
  const lines = Object.entries(testScenes).map(([words, { happens, outcome }]) => {
    const comesTo =
      'refused' in outcome
        ? `${errorDefinitions[outcome.refused][0]} \`${outcome.refused}\``
        : [outcome.state, ...(outcome.failure ? [outcome.failure] : [])]
            .map((word) => `\`${word}\``)
            .join(', ');
    return `| \`${words}\` | ${happens} | ${comesTo} |`;
  });
  expect(listed).toEqual(lines);
});

test.for([
  ['test: blocked by safety', 'test: blocked by safety'],
  ['  TEST:  Blocked by\nsafety, on a table', 'test: blocked by safety'],
  ['test: cancelled after a preview', 'test: cancelled after a preview'],
  ['test: cancelled', 'test: cancelled'],
  ['On a table. test: cancelled', null],
  ['test: something else', null],
  ['', null],
] as const)('%j asks for %j', ([scene, name]) => {
  expect(askedTest(scene).name).toBe(name);
});

test.for([
  ['test: slow 30 s', 30],
  ['test: slow 1 s', 1],
  ['test: slow 0 s', 1],
  ['test: slow 999 s', 120],
] as const)('%s takes %i s', ([scene, seconds]) => {
  expect(askedTest(scene)).toEqual({ name: 'test: slow 30 s', seconds });
});
