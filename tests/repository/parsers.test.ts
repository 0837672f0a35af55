/** A library of the server's process is added only with a thought of whose bytes it reads: docs/parsers.md names all of them. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';

const read = (file: string) => readFile(join(rootFolder, file), 'utf8');

/** Names of packages as code imports them, and as a document names them. */
const imports = /(?:from |import\()'((?:@[\w-]+\/)?[\w.-]+)/g;
const code = /`((?:@[\w-]+\/)?[\w.-]+)`/g;

test('docs/parsers.md names every library that server and shared import', async () => {
  const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: Record<string, string> };
  const librariesIn = (text: string, names: RegExp) =>
    [...text.matchAll(names)].map(([, name]) => name!).filter((name) => Object.hasOwn(dependencies, name));
  const imported = new Set<string>();
  for await (const file of glob('{server,shared}/**/*.ts', { cwd: rootFolder, exclude: ['**/*.test.ts'] })) {
    for (const name of librariesIn(await read(file), imports)) imported.add(name);
  }
  expect(imported).toContain('bowser');
  const named = new Set(librariesIn(await read('docs/parsers.md'), code));
  expect([...imported].filter((name) => !named.has(name))).toEqual([]);
  // The provider is called by workers only.
  expect([...named].filter((name) => !imported.has(name) && name !== 'openai')).toEqual([]);
});
