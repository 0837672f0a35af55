/** The options of commands. What they do not know is answered with one line, and the process ends with 1. */
import { randomInt } from 'node:crypto';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Reads the options of this process. @param command the name that begins the line */
export function readCommandLine<Options extends ParseArgsConfig>(
  command: string,
  options: Options,
): ReturnType<typeof parseArgs<Options>> {
  try {
    return parseArgs(options);
  } catch (error) {
    return refuse(command, (error as Error).message);
  }
}

/** @returns the number above 0 that an option has */
export function positiveNumber(command: string, option: string, text: string): number {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : refuse(command, `${option} must be above 0`);
}

/** @returns the whole number from 0 that an option has */
export function wholeNumber(command: string, option: string, text: string): number {
  const number = Number(text);
  const isWhole = text.trim() !== '' && Number.isSafeInteger(number) && number >= 0;
  return isWhole ? number : refuse(command, `${option} must be a whole number`);
}

/** @returns the seed that `--seed` has, or a drawn one, which the command must print */
export function seedOf(command: string, text: string | undefined): number {
  return text === undefined ? randomInt(2 ** 31) : wholeNumber(command, '--seed', text);
}

/** Ends the process with a line and 1. */
export function refuse(command: string, reason: string): never {
  console.error(`${command}: ${reason}`);
  process.exit(1);
}
