/** Each test runs a program of its own in a process of its own, which gets signals and errors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { limitMs } from '#tests/support/machine.ts';
import { rootFolder } from './root-folder.ts';

const processFile = pathToFileURL(`${rootFolder}/shared/platform/process.ts`).href;

/** What the programs of the tests have in common: a log on stderr, and something that keeps them running. */
const prelude = `
  import { configOrExit, runProcess } from '${processFile}';
  const log = {
    info: (fields, message) => console.error('info', message, fields.signal),
    fatal: (fields, message) => console.error('fatal', message, fields.err?.message ?? ''),
  };
  setInterval(() => {}, 1_000);
  const run = (close, closeMs = ${limitMs(10_000)}) =>
    runProcess('test', closeMs, async () => ({ url: 'http://localhost:1', log, close }));
  const closing = () => process.send('closing');
`;

interface TestProgram {
  child: ChildProcess;
  /** The next message that it sends. */
  message(): Promise<unknown>;
  /** Resolves when it has ended, with its exit code and what it wrote to stderr. */
  ended: Promise<{ code: number | null; errors: string }>;
}

function startTestProgram(source: string, environment: NodeJS.ProcessEnv = {}): TestProgram {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', prelude + source], {
    cwd: rootFolder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = text(child.stderr!);
  const ended = once(child, 'exit').then(async ([code]) => ({ code, errors: await errors }));
  return { child, ended, message: async () => (await once(child, 'message'))[0] };
}

test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s closes it, and it exits with 0', async (signal) => {
  const program = startTestProgram(`await run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.error('closed');
  });`);
  expect(await program.message()).toEqual({ ready: true, url: 'http://localhost:1' });
  program.child.kill(signal);
  expect(await program.ended).toEqual({ code: 0, errors: `info closing ${signal}\nclosed\n` });
});

test('a second signal ends it at once, with 1', async () => {
  const program = startTestProgram('await run(() => { closing(); return new Promise(() => {}); });');
  await program.message();
  program.child.kill('SIGTERM');
  expect(await program.message()).toBe('closing');
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal second signal while closing: SIGTERM');
});

test.for([
  ['an uncaught exception', 'setTimeout(() => { throw new Error("broken"); });'],
  ['an unhandled rejection', 'Promise.reject(new Error("broken"));'],
])('%s closes it, and it exits with 1', async ([, failure]) => {
  const program = startTestProgram(`await run(async () => console.error('closed')); ${failure}`);
  expect(await program.ended).toEqual({ code: 1, errors: 'fatal uncaught error, closing broken\nclosed\n' });
});

test('an error while it closes ends it at once, with 1', async () => {
  const program = startTestProgram(`await run(() => {
    setTimeout(() => { throw new Error('broken'); });
    return new Promise(() => {});
  });`);
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal another uncaught error while closing broken');
});

test('a close that takes longer than its limit is cut off, with 1', async () => {
  const program = startTestProgram('await run(() => new Promise(() => {}), 100);');
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal closing took longer than 100 ms');
});

test('a close that fails exits with 1', async () => {
  const program = startTestProgram("await run(async () => { throw new Error('no store'); });");
  await program.message();
  program.child.kill('SIGTERM');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('fatal could not close cleanly no store');
});

test('a signal during the start ends it, with 0', async () => {
  const program = startTestProgram(
    "await runProcess('test', 10_000, () => { process.send('starting'); return new Promise(() => {}); });",
  );
  expect(await program.message()).toBe('starting');
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, errors: '' });
});

test('a start that fails says why in one line and exits with 1', async () => {
  const failing = startTestProgram(
    "await runProcess('test', 10_000, async () => { throw new Error('no store\\nat line 1'); });",
  );
  expect(await failing.ended).toEqual({ code: 1, errors: 'packshot test: no store\n' });
  const taken = startTestProgram(
    "await runProcess('test', 10_000, async () => { throw Object.assign(new Error(), { code: 'EADDRINUSE' }); });",
  );
  expect((await taken.ended).errors).toMatch(/^packshot test: its port is taken\./);
});

test('an invalid setting is named in one line, with exit code 1', async () => {
  const program = startTestProgram("configOrExit('test');", { PORT: 'high' });
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toMatch(/^packshot test: .*PORT: .*\n$/);
});

test('a fault in the process ends it at once', async () => {
  const program = startTestProgram("await run(async () => console.error('closed'));");
  await program.message();
  program.child.kill('SIGABRT');
  expect(await program.ended).toEqual({ code: null, errors: '' });
});
