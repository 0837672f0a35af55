import { ConfigError } from './config.ts';

/** What a program gives once it works. */
export interface RunningProgram {
  /** The address that it serves, where it serves one. */
  url?: string;
  close(): Promise<void>;
}

/**
 * Runs a program until SIGTERM or SIGINT, or until the parent that started it with an IPC channel is gone.
 * Tells such a parent `{ ready: true, url? }`. A start that fails says why in one line and exits with 1.
 * @param name how it calls itself in that line
 */
export async function runProcess(name: string, start: () => Promise<RunningProgram>): Promise<void> {
  let program: RunningProgram | undefined;
  let ending = false;
  // From the first moment: a process that is the first of its container has no other way to be ended.
  const end = () => {
    if (ending) return;
    ending = true;
    if (!program) process.exit(0);
    program.close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`packshot ${name}: could not close cleanly: ${startFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
  try {
    program = await start();
  } catch (error) {
    process.stderr.write(`packshot ${name}: ${startFailure(error)}\n`);
    process.exit(1);
  }
  process.send?.({ ready: true, url: program.url });
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'its port is taken. End the program that uses it, or set PORT to another one.';
  }
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}
