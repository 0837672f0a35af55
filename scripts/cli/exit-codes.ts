import { PackshotError } from './client.ts';
import { SettingsError } from './settings.ts';

/** How the command ends. A wrong command line is 1, as for all our commands. */
export const exitCodes = {
  done: 0,
  /** A wrong command line, a setting or a file that is missing. */
  wrong: 1,
  /** The key, the plan or the number of images that was agreed to does not allow it. */
  refused: 2,
  /** An image failed. */
  failed: 3,
  noAnswer: 4,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;

/** Ends a command early, with a line for people. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.wrong) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How the command ends after an error; undefined for a fault of ours. */
export function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof SettingsError) return exitCodes.wrong;
  if (error instanceof PackshotError) return error.status === 0 ? exitCodes.noAnswer : exitCodes.refused;
  return undefined;
}
