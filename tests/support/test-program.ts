/** Programs that tests of `shared/platform/process.ts` run in processes of their own, which get signals and errors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { limitMs } from './machine.ts';

const processFile = pathToFileURL(`${rootFolder}/shared/platform/process.ts`).href;

/** What the programs have in common: a log on stderr, and something that keeps them running. */
const prelude = `
  import { configOrExit, runProcess } from '${processFile}';
  const log = {
    info: (fields, message) => console.error('info', message, fields.signal),
    warn: (message) => console.error('warn', message),
    fatal: (fields, message) => console.error('fatal', message, fields.err?.message ?? ''),
  };
  setInterval(() => {}, 1_000);
  const run = (close, closeMs = ${limitMs(10_000)}) =>
    runProcess('test', closeMs, async () => ({ url: 'http://localhost:1', log, close }));
  const closing = () => process.send('closing');
`;

export interface TestProgram {
  child: ChildProcess;
  /** The next message that it sends. */
  message(): Promise<unknown>;
  /** Resolves when it has ended, with its exit code and what it wrote to stderr. */
  ended: Promise<{ code: number | null; errors: string }>;
}

/** Starts a program of its own in a process of its own, which ends with the test. @param source what follows the prelude */
export function startTestProgram(source: string, environment: NodeJS.ProcessEnv = {}): TestProgram {
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
