import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CuriousJobs } from '#tests/support/curious-process.ts';
import { limitMs } from '#tests/support/machine.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { startJobProcess } from './job-process.ts';
import { rootFolder } from './root-folder.ts';

const program = new URL('../../tests/support/curious-process.ts', import.meta.url);
const code = ['package.json', 'node_modules', 'shared', 'tests'].map((name) => join(rootFolder, name));

/**
 * @param isConfined whether it gets permissions: to read its program and one folder
 * @param threads whether it may start threads as well
 */
async function askCuriousProcess(isConfined: boolean, threads = false) {
  const folder = await newFolder();
  const readableFolder = join(folder, 'readable');
  await mkdir(readableFolder);
  const [readable, secret] = [join(readableFolder, 'photo'), join(folder, '.env')];
  const writable = join(readableFolder, 'written');
  for (const file of [readable, secret]) await writeFile(file, '');
  const started = startJobProcess<CuriousJobs>(
    program,
    isConfined ? { readable: [...code, readableFolder], threads } : {},
  );
  onTestFinished(() => started.kill());
  const found = await started.run('tryAll', { readable, secret, writable }, limitMs(20_000));
  return { ...found, wasWritten: existsSync(writable) };
}

test('a process with permissions sees no setting, reads only what it may, and can neither write nor start anything', async () => {
  const { environment, done, wasWritten } = await askCuriousProcess(true);
  expect(environment.filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual(['MALLOC_ARENA_MAX']);
  expect(done).toEqual(['read what it may']);
  expect(wasWritten).toBe(false);
});

test('one that may start threads can do nothing else besides', async () => {
  const { done, wasWritten } = await askCuriousProcess(true, true);
  expect(done).toEqual(['read what it may', 'start a thread']);
  expect(wasWritten).toBe(false);
});

test.runIf(existsSync('/bin/true'))('the same process without permissions can do all of it', async () => {
  const { done, wasWritten } = await askCuriousProcess(false);
  expect(done).toEqual(expect.arrayContaining(['read another file', 'write a file', 'start a process']));
  expect(wasWritten).toBe(true);
});
