/** The process that compares images: what its death costs, and what ends it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readSample } from '#scripts/match-report/samples.ts';
import { limitMs } from '#tests/support/machine.ts';
import { stateOf } from '#tests/support/memory.ts';
import { createProductMatcher, type MatchLimits } from './product-matcher.ts';

const folder = await mkdtemp(join(tmpdir(), 'packshot-matcher-'));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, 'tin');
await writeFile(path, (await readSample('tea-tin-1')).png);
const photo = { key: 'tin', path };

function openMatcher(limits?: Partial<MatchLimits>) {
  const matcher = createProductMatcher(limits);
  onTestFinished(() => matcher.close());
  return matcher;
}

test.for(['SIGKILL', 'SIGABRT'] as const)(
  'a process that ends by %s costs its comparison: the next one gets another process',
  async (signal) => {
    const matcher = openMatcher();
    const compared = matcher.match(photo, path);
    const first = matcher.pid()!;
    process.kill(first, signal);
    await expect(compared).rejects.toThrow(`the process ended by ${signal}`);
    expect(await matcher.match(photo, path)).toMatchObject({ level: 'high' });
    expect(matcher.pid()).not.toBe(first);
  },
);

test('a process that stands still is given up, and the next comparison gets another one', async () => {
  const matcher = openMatcher({ seconds: limitMs(5_000) / 1_000 });
  // The answer of a process that works, without loading the model.
  const answers = () => expect(matcher.match(photo, join(folder, 'missing'))).rejects.toThrow('ENOENT');
  await answers();
  const first = matcher.pid()!;
  process.kill(first, 'SIGSTOP');
  await expect(matcher.match(photo, path)).rejects.toThrow('no answer in');
  await expect.poll(() => stateOf(first)).toMatch(/^(gone|Z)$/);
  await answers();
  expect(matcher.pid()).not.toBe(first);
});

test('a comparison that takes too much processor time is given up', async () => {
  const matcher = openMatcher({ processorSeconds: 0 });
  await expect(matcher.match(photo, path)).rejects.toThrow('the process ended by SIGKILL');
});

test('an image that cannot be read fails its comparison and not the process', async () => {
  const matcher = openMatcher();
  await expect(matcher.match(photo, join(folder, 'missing'))).rejects.toThrow('ENOENT');
  const first = matcher.pid();
  expect(await matcher.match(photo, path)).toMatchObject({ level: 'high' });
  expect(matcher.pid()).toBe(first);
});

test('closing gives up what runs, and no other process starts', async () => {
  const matcher = createProductMatcher();
  const compared = matcher.match(photo, path);
  const pid = matcher.pid()!;
  const failed = expect(compared).rejects.toThrow('the process ended by SIGKILL');
  await matcher.close();
  await failed;
  expect(await stateOf(pid)).toBe('gone');
  await expect(matcher.match(photo, path)).rejects.toThrow('the worker ends');
  expect(matcher.pid()).toBeUndefined();
});

test.skipIf(process.platform !== 'linux')(
  'the process has a lower priority, is killed first when memory is short, and has no secrets',
  async () => {
    const matcher = openMatcher();
    await matcher.prepare(photo);
    const pid = matcher.pid();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const own = await readFile('/proc/self/stat', 'utf8');
    const niceness = (text: string) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
    expect(niceness(stat)).toBe(Math.min(19, niceness(own) + 5));
    expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('900\n');
    const names = (await readFile(`/proc/${pid}/environ`, 'latin1'))
      .split('\0')
      .map((one) => one.split('=')[0]);
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL'))).toEqual(['MALLOC_ARENA_MAX']);
  },
);

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
