import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '#tests/support/new-folder.ts';
import { memoryFlags } from './job-process.ts';
import { strippedFile, strippedFolder } from './stripped-types.mjs';

test('a source that was stripped before is read as it is there, without what strips types; one that has changed is not', async () => {
  const program = join(await newFolder(), 'program.mts');
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...memoryFlags, program]);
    return stdout.trim();
  };
  const loads = `process.moduleLoadList.some((name) => name.includes('amaro'))`;
  // No other test has the same source.
  const source = `const from: string = '${program}'; console.log('by Node', from.length > 0, ${loads});`;
  await writeFile(program, source);
  expect(await run()).toBe('by Node true true');

  await mkdir(strippedFolder, { recursive: true });
  await writeFile(strippedFile(source), `console.log('before', ${loads});`);
  onTestFinished(() => rm(strippedFile(source)));
  expect(await run()).toBe('before false');

  await writeFile(program, source.replace('by Node', 'changed'));
  expect(await run()).toBe('changed true true');
});
