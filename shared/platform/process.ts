import { inspect } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError, loadConfig } from './config.ts';
import type { Log } from './log.ts';
import type { Program } from './program-secrets.ts';
import { givenSettings, misspellings } from './settings.ts';

/** A program that has started. */
export interface RunningProgram {
  /** The address that it serves, if it serves one. */
  url?: string;
  log: Pick<Log, 'info' | 'warn' | 'fatal'>;
  close(): Promise<void>;
}

/**
 * Signals of a fault in the process itself. Node warns that JavaScript cannot safely run after one, so the system ends
 * the process at once.
 */
const faultSignals = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'] as const;

/**
 * Runs a program until a signal or an uncaught error closes it (docs/decisions/0025-close-with-grace-ends-processes.md).
 * Sends `{ ready: true, url? }` to a parent process that started it with an IPC channel.
 *
 * Exit code: 0 when it was closed by a signal; 1 when it could not start, failed to close, took longer than `closeMs`,
 * met an uncaught error, or received a second signal while it was closing.
 * @param name name of the program in messages on stderr
 * @param closeMs how long closing may take, in ms
 */
export async function runProcess(
  name: string,
  closeMs: number,
  start: () => Promise<RunningProgram>,
): Promise<void> {
  let program: RunningProgram | undefined;
  const report = (message: string, error?: unknown) => {
    if (program) program.log.fatal({ err: error }, message);
    else process.stderr.write(`packshot ${name}: ${message}${error ? `: ${inspect(error)}` : ''}\n`);
  };
  // Before the start: the first process of a container ignores signals that it has no handler for.
  closeWithGrace(
    {
      delay: closeMs,
      skip: [...faultSignals],
      logger: { error: (error) => report('could not close cleanly', error) },
      onTimeout: () => report(`closing took longer than ${closeMs} ms`),
      onSecondSignal: (signal) => report(`second signal while closing: ${signal}`),
      onSecondError: (error) => report('another uncaught error while closing', error),
    },
    async ({ err, signal }) => {
      if (err) report('uncaught error, closing', err);
      else program?.log.info({ signal }, 'closing');
      await program?.close();
    },
  );
  try {
    program = await start();
    for (const line of misspellings()) program.log.warn(line);
  } catch (error) {
    exitWith(name, error);
  }
  process.send?.({ ready: true, url: program.url });
}

/** Reads the settings. Writes what is wrong with them to stderr and exits with code 1 if they are not valid. */
export function configOrExit(name: Program): Config {
  try {
    return loadConfig(givenSettings(), name);
  } catch (error) {
    return exitWith(name, error);
  }
}

function exitWith(name: string, error: unknown): never {
  process.stderr.write(`packshot ${name}: ${startFailure(error)}\n`);
  // One of them may be what is missing.
  for (const line of misspellings()) process.stderr.write(`packshot ${name}: ${line}\n`);
  process.exit(1);
}

/** One line for the operator. */
function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'its port is taken. Stop the program that uses it, or set PORT to another one.';
  }
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}
