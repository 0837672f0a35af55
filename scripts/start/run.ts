/** Runs a program to its end and keeps its output in a log file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { parentWatchdogFile, StackError } from './process.ts';

/**
 * Runs a JavaScript program with this Node in the checkout.
 * @param signal aborts it
 * @throws StackError with the last lines of its output when it fails
 */
export async function runToEnd(
  name: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  logFolder: string,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, ['--import', parentWatchdogFile, ...command], {
    cwd: rootFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(signal === undefined ? {} : { signal }),
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const log = join(logFolder, `${name.replaceAll(' ', '-')}.log`);
  await writeFile(log, output, { mode: 0o600 });
  if (code !== 0) {
    throw new StackError(
      `the ${name} failed. Its log: ${relative(rootFolder, log)}`,
      output.trimEnd().split('\n').slice(-8),
    );
  }
}
