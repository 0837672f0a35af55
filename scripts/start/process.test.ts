import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { childEnvironment } from './child-environment.ts';
import { lockDataFolder, runningStack } from './lock.ts';
import { type ProcessOptions, StackError, startProcess } from './process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-test-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stays = 'setInterval(() => {}, 1e6); ';
const ready = "process.send({ ready: true, url: 'http://127.0.0.1:1' }); ";

const slow = { timeout: 20_000, interval: 20 };
vi.setConfig({ testTimeout: 60_000 });

async function start(
  program: string,
  options: Partial<Pick<ProcessOptions, 'readyMs' | 'onLine' | 'watch'>> = {},
) {
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  return startProcess({
    name: 'program',
    command: [file],
    env: childEnvironment({}),
    logFolder: join(folder, 'logs'),
    endMs: 300,
    ...options,
  });
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('gives the address of a process that is ready, and ends it', async () => {
  const program = await start(stays + ready);
  expect(program.url).toBe('http://127.0.0.1:1');
  await program.stop();
  expect(isAlive(program.pid)).toBe(false);
});

test('kills a process that does not end when it is asked to', async () => {
  const program = await start(`process.on('SIGTERM', () => {}); ${stays}${ready}`);
  await program.stop();
  expect((await program.ended).message).toMatch(/^program was ended by SIGKILL/);
});

test('names a process that ends before it is ready, with the last lines of its log', async () => {
  const broken = start("console.error('first'); console.error('no store at x'); process.exit(3);");
  await expect(broken).rejects.toBeInstanceOf(StackError);
  await expect(broken).rejects.toMatchObject({
    message: expect.stringMatching(/^program ended with code 3\. Its log: .*program\.log$/),
    logLines: ['first', 'no store at x'],
  });
});

test('shows the message of a pino line', async () => {
  const line = JSON.stringify({ level: 60, msg: 'cannot start', err: { message: 'no disk' } });
  await expect(start(`console.log('${line}'); process.exit(1);`)).rejects.toMatchObject({
    logLines: ['cannot start: no disk'],
  });
});

test('passes on warnings, errors and plain lines, and logs everything', async () => {
  const heard: string[] = [];
  const lines = [
    { level: 30, msg: 'request' },
    { level: 50, msg: 'broken', err: { message: 'no disk' } },
  ].map((line) => JSON.stringify(line));
  const output = lines.map((line) => `console.log('${line}'); `).join('');
  const program = await start(`${output}console.error('by hand'); ${stays}${ready}`, {
    onLine: (line) => heard.push(line),
  });
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(['broken: no disk', 'by hand']));
  await program.stop();
  const log = await readFile(join(folder, 'logs', 'program.log'), 'utf8');
  expect(log.trim().split('\n').toSorted()).toEqual(['by hand', ...lines].toSorted());
});

test('gives up a process that does not get ready in time', async () => {
  await expect(start(stays, { readyMs: 300 })).rejects.toThrow(/did not get ready within 0\.3 s/);
});

// Both wait four seconds until the child is killed.
test.concurrent.for([false, true])(
  'leaves nothing behind when the process that started it is killed (watch: %s)',
  async (watch, { onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-test-start-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const child = join(folder, 'child.mjs');
    await writeFile(
      child,
      `process.on('SIGTERM', () => {}); ${stays}process.send({ ready: true, url: 'pid:' + process.pid });`,
    );
    const parent = join(folder, 'parent.ts');
    const options = JSON.stringify({ name: 'child', command: [child], env: {}, logFolder: folder, watch });
    await writeFile(
      parent,
      `import { startProcess } from '${join(import.meta.dirname, 'process.ts')}';
     const { pid, url } = await startProcess(${options});
     console.log(JSON.stringify([pid, Number(url.slice('pid:'.length))]));
     setInterval(() => {}, 1e6);`,
    );
    const holder = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await once(holder.stdout, 'data');
    // Node's watcher and the program, or the program twice.
    const pids = JSON.parse(output) as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), {
      timeout: 5_000,
      interval: 50,
    });
  },
);

test('a watched program restarts when a file that it imports changes, also after a failure', async () => {
  const imported = join(folder, 'imported.mjs');
  const write = (text: string) => writeFile(imported, text);
  await write("export const version = 'one';");
  const lines: string[] = [];
  const program = await start(
    `import { version } from './imported.mjs'; console.log('version ' + version); ${stays}${ready}`,
    { watch: true, onLine: (line) => lines.push(line) },
  );
  await write("export const version = (() => { throw new Error('broken on purpose'); })();");
  await vi.waitFor(() => expect(lines.join()).toMatch(/broken on purpose.*Waiting for file changes/), slow);
  await write("export const version = 'two';");
  await vi.waitFor(() => expect(lines).toContain('version two'), slow);
  expect(lines).toContain('version one');
  await program.stop();
  expect(isAlive(program.pid)).toBe(false);
});

test('a data folder serves one stack at a time', async () => {
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(/another Packshot is starting/);
  lock.writeRecord({
    url: 'http://127.0.0.1:3000',
    mongodbUrl: 'mongodb://127.0.0.1:1',
    demoSellersAllowed: true,
  });
  expect(runningStack(folder)).toEqual({
    url: 'http://127.0.0.1:3000',
    mongodbUrl: 'mongodb://127.0.0.1:1',
    demoSellersAllowed: true,
    process: process.pid,
  });
  expect(() => lockDataFolder(folder)).toThrow(/already runs at http:\/\/127\.0\.0\.1:3000/);
  lock.release();
  expect(runningStack(folder)).toBeUndefined();
  lockDataFolder(folder).release();
});

test('keeps the log of the previous start', async () => {
  await (await start(`console.log('one'); ${stays}${ready}`)).stop();
  await (await start(`console.log('two'); ${stays}${ready}`)).stop();
  expect(await readFile(join(folder, 'logs', 'program.before.log'), 'utf8')).toBe('one\n');
  expect(await readFile(join(folder, 'logs', 'program.log'), 'utf8')).toBe('two\n');
});
