/** A new option of an image is added in few places: everything else takes the options as one object. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

test('only these files name an option', () => {
  const named = execFileSync(
    'git',
    ['grep', '-lE', 'negativePrompt|negative_prompt', '--', 'server', 'worker', 'shared', 'web/src'],
    { cwd: rootFolder, encoding: 'utf8' },
  );
  const files = named
    .trim()
    .split('\n')
    .filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files).toEqual([
    'shared/contract/compose-prompt.ts',
    'shared/contract/generation-options.ts',
    'shared/contract/limits.ts',
    'shared/data/options.ts',
    'web/src/content/guides/api.md',
    'web/src/ui/options/option-fields.tsx',
  ]);
});
