import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#scripts/start/child-environment.ts';
import { parentWatchdogFile } from '#scripts/start/process.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';

/** The server or the worker as a separate process, which a test may kill. */
export interface ProgramProcess {
  pid: number;
  /** The server's address; undefined for a worker. */
  url: string | undefined;
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM and resolves with the exit code. */
  terminate(): Promise<number | null>;
}

/**
 * Starts `server/main.ts` or `worker/main.ts` and resolves when it is ready.
 * @param onOutput receives its standard output (the log), which otherwise goes to the test's own output
 */
export async function startProgram(
  program: 'server' | 'worker',
  settings: GivenSettings,
  onOutput?: (text: string) => void,
): Promise<ProgramProcess> {
  const child = spawn(
    process.execPath,
    ['--import', parentWatchdogFile, join(rootFolder, program, 'main.ts')],
    {
      env: childEnvironment(settings),
      stdio: ['ignore', onOutput ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    },
  );
  if (onOutput) child.stdout?.setEncoding('utf8').on('data', onOutput);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [first] = (await Promise.race([once(child, 'message'), exited])) as [
    { url?: string } | number | null,
  ];
  if (typeof first !== 'object' || first === null) {
    throw new Error(`the ${program} ended with code ${first} before it was ready`);
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await exited)[0];
  };
  return {
    pid: child.pid!,
    url: first.url,
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
  };
}

/** A line of the log of a server or a worker. */
export interface LogLine {
  msg: string;
  traceId?: string;
  generation?: string;
  [field: string]: unknown;
}

/** Collects the log of a program that `startProgram` starts. */
export function collectLog(): { lines: LogLine[]; add(output: string): void } {
  const lines: LogLine[] = [];
  let rest = '';
  return {
    lines,
    add(output) {
      const parts = (rest + output).split('\n');
      rest = parts.pop()!;
      lines.push(...parts.map((part) => JSON.parse(part) as LogLine));
    },
  };
}

/** Runs a command while the database does not answer. @returns its status, and the lines that it printed */
export async function runWithoutDatabase(
  name: string,
  ...args: string[]
): Promise<{ status: number; lines: string[] }> {
  const command = [join(rootFolder, 'scripts', name, 'main.ts'), ...args];
  const environment = childEnvironment({ MONGODB_URL: 'mongodb://127.0.0.1:9/packshot' });
  const linesOf = (...outputs: string[]) => outputs.join('').trim().split('\n');
  return promisify(execFile)(process.execPath, command, { cwd: rootFolder, env: environment }).then(
    ({ stdout, stderr }) => ({ status: 0, lines: linesOf(stdout, stderr) }),
    ({ code, stdout, stderr }) => ({ status: code as number, lines: linesOf(stdout, stderr) }),
  );
}
