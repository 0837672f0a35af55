import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { childEnvironment } from './child-environment.ts';
import { lockDataFolder, runningStack } from './lock.ts';
import { type ProcessOptions, StackError, startProcess } from './process.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});

const stays = 'setInterval(() => {}, 1e6); ';
const ready = "process.send({ ready: true, url: 'http://127.0.0.1:1' }); ";

async function start(
  program: string,
  options: Partial<Pick<ProcessOptions, 'readyMs' | 'onLine' | 'startedAgain'>> = {},
) {
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  return startProcess({
    name: 'program',
    command: [file],
    env: childEnvironment({}),
    logFolder: join(folder, 'logs'),
    endMs: limitMs(300),
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
  const line = JSON.stringify({ level: 'fatal', msg: 'cannot start', err: { message: 'no disk' } });
  await expect(start(`console.log('${line}'); process.exit(1);`)).rejects.toMatchObject({
    logLines: ['cannot start: no disk'],
  });
});

test('passes on warnings, errors and plain lines, and logs everything', async () => {
  const heard: string[] = [];
  const lines = [
    { level: 'info', msg: 'request' },
    { level: 'error', msg: 'broken', err: { message: 'no disk' } },
  ].map((line) => JSON.stringify(line));
  const output = lines.map((line) => `console.log('${line}'); `).join('');
  const program = await start(`${output}console.error('by hand'); ${stays}${ready}`, {
    onLine: (line) => heard.push(line),
  });
  await expect.poll(() => heard.toSorted()).toEqual(['broken: no disk', 'by hand']);
  await program.stop();
  const log = await readFile(join(folder, 'logs', 'program.log'), 'utf8');
  expect(log.trim().split('\n').toSorted()).toEqual(['by hand', ...lines].toSorted());
});

test('gives up a process that does not get ready in time', async () => {
  await expect(start(stays, { readyMs: limitMs(300) })).rejects.toThrow(/did not get ready within [\d.]+ s/);
});

test('leaves nothing behind when the process that started it is killed', async () => {
  const child = join(folder, 'child.mjs');
  await writeFile(
    child,
    `process.on('SIGTERM', () => {}); ${stays}process.send({ ready: true, url: 'pid:' + process.pid });`,
  );
  const parent = join(folder, 'parent.ts');
  const options = JSON.stringify({ name: 'child', command: [child], env: {}, logFolder: folder });
  await writeFile(
    parent,
    `import { startProcess } from '${join(import.meta.dirname, 'process.ts')}';
     const { pid } = await startProcess(${options});
     console.log(pid);
     setInterval(() => {}, 1e6);`,
  );
  const holder = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await once(holder.stdout, 'data');
  const pid = Number(output);
  expect(isAlive(pid)).toBe(true);
  holder.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('its threads run, and only the main thread ends it with its parent', async () => {
  const listeners = "process.listenerCount('disconnect')";
  const thread = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage(${listeners});`;
  const program = await start(
    `import { Worker } from 'node:worker_threads';
     const thread = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)})));
     thread.once('message', (count) => {
       process.send({ ready: true, url: 'listeners:' + ${listeners} + ',' + count });
     });
     ${stays}`,
  );
  expect(program.url).toBe('listeners:1,0');
  await program.stop();
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

test('the record of a stack that was killed does not count', async () => {
  const killed = spawn(process.execPath, ['--eval', '']);
  await once(killed, 'exit');
  const record = { url: 'http://127.0.0.1:3000', mongodbUrl: 'mongodb://127.0.0.1:1', process: killed.pid };
  await writeFile(join(folder, 'running.json'), JSON.stringify(record));
  expect(runningStack(folder)).toBeUndefined();
});

test('keeps the log of the previous start, and writes on in it when it is started again', async () => {
  await (await start(`console.log('one'); ${stays}${ready}`)).stop();
  await (await start(`console.log('two'); ${stays}${ready}`)).stop();
  await (await start(`console.log('three'); ${stays}${ready}`, { startedAgain: 'again' })).stop();
  expect(await readFile(join(folder, 'logs', 'program.before.log'), 'utf8')).toBe('one\n');
  expect(await readFile(join(folder, 'logs', 'program.log'), 'utf8')).toBe('two\nagain\nthree\n');
});
