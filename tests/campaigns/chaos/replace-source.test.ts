import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { guards } from './guards/all.ts';
import type { Replacement } from './replace-source.ts';
import { shortTimes } from './short-times.ts';

/** Starts a process that loads `shared/platform/retry.ts` with replacements. @returns what it prints */
const printed = (...replacements: Replacement[]) =>
  promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { replaceSources } from '#tests/campaigns/chaos/replace-source.ts';
      replaceSources(${JSON.stringify(replacements)});
      const { retryDelayMs } = await import('#shared/platform/retry.ts');
      console.log(retryDelayMs(1));`,
    ],
    { cwd: rootFolder },
  ).then(({ stdout }) => stdout.trim());

const file = 'shared/platform/retry.ts';

test('a process that loads a file has the replaced text', async () => {
  expect(await printed({ file, text: 'firstDelayMs = 30_000', by: 'firstDelayMs = 300' })).toBe('300');
});

test('a process ends with a line when a text is not there any more', async () => {
  const gone = { file, text: 'firstDelayMs = 1_234', by: '' };
  await expect(printed(gone)).rejects.toMatchObject({
    code: 1,
    stderr: `chaos: "${gone.text}" occurs 0 times in ${file}\n`,
  });
});

test.for([
  ['short times', shortTimes] as const,
  ...guards.map((each) => [each.name, each.replacements] as const),
])('%s: each text occurs once in its file', ([, replacements]) => {
  const occurring = replacements.map(({ file: path, text }) => [
    `${path}: ${text}`,
    readFileSync(join(rootFolder, path), 'utf8').split(text).length - 1,
  ]);
  expect(occurring).toEqual(replacements.map(({ file: path, text }) => [`${path}: ${text}`, 1]));
});
