/** The OpenAPI documents by the rules that Redocly recommends. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { paths, v1Paths } from '#contract';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const run = promisify(execFile);
const env = childEnvironment({});

/** `npx` fetches it: with what it needs it is 100 MB. */
const redocly = '@redocly/cli@2.77.0';

const test = testWithStack({ workers: 0 }).extend('folder', ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);

test.for([`${paths.docs}/json`, v1Paths.document])(
  '%s follows the recommended rules',
  async (path, { stack, folder, skip }) => {
    const canFetch = await run('npx', ['--yes', redocly, '--version'], { env }).then(
      () => true,
      () => false,
    );
    skip(!canFetch, `npx cannot fetch ${redocly}`);
    const file = join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(stack.url + path)).text());
    const lint = ['--yes', redocly, 'lint', file, '--extends=recommended', '--format=json'];
    const { stdout } = await run('npx', lint, { env, cwd: folder }).catch((error) => error);
    const { totals, problems } = JSON.parse(stdout);
    expect({ totals, problems }).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  },
);
