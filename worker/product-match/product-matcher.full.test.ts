/** What else ends the process that compares images, and what does not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { matcherFolder as folder, openMatcher, tinPhoto as photo } from '#tests/support/matcher.ts';
import { stateOf } from '#tests/support/memory.ts';
import { createProductMatcher } from './product-matcher.ts';

test('a process that aborts costs its comparison: the next one gets another process', async () => {
  const matcher = openMatcher();
  const compared = matcher.match(photo, photo.path);
  const first = matcher.pids()[0]!;
  process.kill(first, 'SIGABRT');
  await expect(compared).rejects.toThrow('the process ended by SIGABRT');
  expect(await matcher.match(photo, photo.path)).toMatchObject({ level: 'high' });
  expect(matcher.pids()[0]).not.toBe(first);
});

test('an image that cannot be read fails its comparison and not the process', async () => {
  const matcher = openMatcher();
  await expect(matcher.match(photo, join(folder, 'missing'))).rejects.toThrow('ENOENT');
  const first = matcher.pids()[0];
  expect(await matcher.match(photo, photo.path)).toMatchObject({ level: 'high' });
  expect(matcher.pids()[0]).toBe(first);
});

test('closing gives up what runs, and no other process starts', async () => {
  const matcher = createProductMatcher();
  const compared = matcher.match(photo, photo.path);
  const pid = matcher.pids()[0]!;
  const failed = expect(compared).rejects.toThrow('the process ended by SIGKILL');
  await matcher.close();
  await failed;
  expect(await stateOf(pid)).toBe('gone');
  await expect(matcher.match(photo, photo.path)).rejects.toThrow('the worker ends');
  expect(matcher.pids()).toEqual([]);
});

/** Starts a process in code that never returns, with the watchdog beside it. @returns its parent, which prints its id */
async function startHangingProcess(processorSeconds: number | null) {
  const watchdog = new URL('watchdog.ts', import.meta.url).href;
  const program = join(folder, 'hang.mjs');
  await writeFile(
    program,
    `import { Worker } from 'node:worker_threads';
    const watchdog = new Worker(new URL('${watchdog}'), { workerData: process.ppid });
    watchdog.postMessage(${processorSeconds});
    watchdog.once('online', () => { console.log(process.pid); for (;;); });`,
  );
  const start = `
    require('node:child_process').spawn(process.execPath, ['${program}'], { stdio: 'inherit' })
      .once('exit', (code, signal) => console.log(signal));
    setInterval(() => {}, 1e6);`;
  const parent = spawn(process.execPath, ['--eval', start], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  return parent;
}

test('code that never returns ends with the worker, also after SIGKILL', async () => {
  const parent = await startHangingProcess(null);
  const [pid] = await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await expect.poll(() => stateOf(Number(pid))).toMatch(/^(gone|Z)$/);
});

test('code that never returns ends when its processor time is used up', async () => {
  const parent = await startHangingProcess(0.5);
  let output = '';
  parent.stdout.on('data', (text) => {
    output += text;
  });
  await expect.poll(() => output).toMatch(/^\d+\nSIGKILL\n$/);
});
