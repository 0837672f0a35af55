import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment, rootFolder, type SettingName } from '../../shared/config.ts';

/** A worker that a test may kill. */
export interface WorkerProcess {
  pid: number;
  /** kill -9, and resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and resolves with its exit code. */
  terminate(): Promise<number | null>;
}

/** Starts `worker/main.ts` as the operator does, and resolves when it takes jobs. */
export async function startWorkerProcess(
  settings: Partial<Record<SettingName, string>>,
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [join(rootFolder, 'worker', 'main.ts')], {
    env: childEnvironment(settings),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const first = await Promise.race([once(child, 'message'), exited]);
  if (typeof first[0] !== 'object')
    throw new Error(`the worker ended with code ${first[0]} before it was ready`);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await exited)[0];
  };
  return {
    pid: child.pid!,
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
  };
}
