import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder } from '#tests/support/new-folder.ts';
import { type SourceWatcher, watchSources } from './sources.ts';

let folder: string;
let watcher: SourceWatcher;
beforeEach(async () => {
  folder = await newFolder();
  await mkdir(join(folder, 'inner'));
  await writeFile(join(folder, 'inner', 'step.ts'), '0');
  watcher = watchSources([folder]);
});
afterEach(() => watcher.close());

const file = (name: string) => join(folder, ...name.split('/'));

/** Writes a file beside another one and puts it in its place, as git and many editors do. */
async function replace(name: string): Promise<void> {
  await writeFile(`${file(name)}.new`, '1');
  await rename(`${file(name)}.new`, file(name));
}

/** Moves a file away and writes a new one, as editors do that keep a copy. */
async function replaceWithCopy(name: string): Promise<void> {
  await rename(file(name), `${file(name)}~`);
  await writeFile(file(name), '1');
}

async function replaceFolder(name: string): Promise<void> {
  await rm(file(name), { recursive: true });
  await mkdir(file(name));
  await writeFile(file(`${name}/step.ts`), '1');
}

/** Each way in which a file changes, in an order in which a watcher of single files would lose it. */
const changes: readonly [string, () => Promise<unknown>][] = [
  ['written in place', () => writeFile(file('inner/step.ts'), '1')],
  ['replaced', () => replace('inner/step.ts')],
  ['replaced again', () => replace('inner/step.ts')],
  ['written in place after it was replaced', () => writeFile(file('inner/step.ts'), '2')],
  ['replaced, with a copy kept', () => replaceWithCopy('inner/step.ts')],
  ['written in place after that', () => writeFile(file('inner/step.ts'), '3')],
  ['removed', () => rm(file('inner/step.ts'))],
  ['created', () => writeFile(file('inner/step.ts'), '4')],
  ['its folder replaced', () => replaceFolder('inner')],
  ['replaced in the new folder', () => replace('inner/step.ts')],
  ['written in the new folder', () => writeFile(file('inner/step.ts'), '5')],
  [
    'created in a folder that is created',
    () => mkdir(file('inner/new')).then(() => replace('inner/new/a.ts')),
  ],
  ['replaced in that folder', () => replace('inner/new/a.ts')],
];

test('every change of a source is noticed', async () => {
  for (const [how, change] of changes) {
    let seen: string | undefined;
    watcher.nextChange().then((path) => {
      seen = path;
    });
    await change();
    await expect.poll(() => `${how}: ${seen}`).toMatch(/inner/);
  }
});

test('tests and other files do not count', async () => {
  const seen: string[] = [];
  const next = watcher.nextChange().then((path) => seen.push(path));
  for (const name of ['inner/step.test.ts', 'inner/notes.txt', 'inner/.step.ts.swp', 'inner/step.ts~']) {
    await writeFile(file(name), '1');
  }
  await writeFile(file('inner/last.ts'), '1');
  await next;
  expect(seen).toEqual([expect.stringMatching(/last\.ts$/)]);
});
