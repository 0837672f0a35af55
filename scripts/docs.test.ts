/** The documents say what the code says: error codes, links, and names of files. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, errorDefinitions } from '#contract';

const rootFolder = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');
const trackedFiles = execFileSync('git', ['ls-files'], { cwd: rootFolder, encoding: 'utf8' }).split('\n');
const documents = trackedFiles.filter((file) => file.endsWith('.md') && existsSync(join(rootFolder, file)));

const [inputs, definitions] = read('docs/errors.md').split('## All codes') as [string, string];

test('docs/errors.md lists every code with its status and sentence, and no other', () => {
  const rows = [...definitions.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \| (.+) \|$/gm)];
  const listed = rows.map(([, status, code, message]) => [code, [Number(status), message]]);
  expect(Object.fromEntries(listed)).toEqual(errorDefinitions);
});

test('docs/errors.md gives each code its own status wherever it names an answer', () => {
  const answers = [...inputs.matchAll(/(\d{3}) `([A-Z_]+)`/g)];
  expect(answers.length).toBeGreaterThan(40);
  for (const [answer, , code] of answers) {
    expect(answer).toBe(`${errorDefinitions[code as ErrorCode]?.[0]} \`${code}\``);
  }
});

test.each(documents)('%s links to files that exist', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
    ([, link]) => link!,
  );
  const missing = links.filter((link) => !existsSync(join(rootFolder, dirname(document), link)));
  expect(missing).toEqual([]);
});

test.each(documents.filter((document) => document === 'README.md' || document.startsWith('docs/')))(
  '%s names files and folders that exist',
  (document) => {
    const names = [...read(document).matchAll(/`([\w-]+(?:\/[\w.-]+)+\.(?:ts|tsx|sh|mjs|md))`/g)];
    // The renderer's document names its files from its own folder.
    const folders = ['', 'scripts/local/openai'];
    const foldersOfTheLayout = [...read(document).matchAll(/^\| `([\w./-]+\/)`/gm)];
    const missing = [...names, ...foldersOfTheLayout]
      .map(([, name]) => name!)
      .filter((name) => !folders.some((folder) => existsSync(join(rootFolder, folder, name))));
    expect(missing).toEqual([]);
  },
);
