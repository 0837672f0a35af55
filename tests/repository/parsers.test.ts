/** A library of the server's process is added only with a thought of whose bytes it reads: docs/parsers.md names all of them. */
import { expect, test } from 'vitest';
import { readInCheckout as read, trackedFiles } from '#tests/support/checkout.ts';

/** Names of packages as code imports them, and as a document names them. */
const imports = /(?:from |import\()'((?:@[\w-]+\/)?[\w.-]+)/g;
const code = /`((?:@[\w-]+\/)?[\w.-]+)`/g;

test('docs/parsers.md names every library that server and shared import', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const librariesIn = (text: string, names: RegExp) =>
    [...text.matchAll(names)].map(([, name]) => name!).filter((name) => Object.hasOwn(dependencies, name));
  const imported = new Set<string>();
  for (const file of trackedFiles('server', 'shared')) {
    if (!/(?<!\.test)\.ts$/.test(file)) continue;
    for (const name of librariesIn(read(file), imports)) imported.add(name);
  }
  expect(imported).toContain('bowser');
  const named = new Set(librariesIn(read('docs/parsers.md'), code));
  expect([...imported].filter((name) => !named.has(name))).toEqual([]);
  // The provider is called by workers only.
  expect([...named].filter((name) => !imported.has(name) && name !== 'openai')).toEqual([]);
});
