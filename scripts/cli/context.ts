import type { Packshot } from './client.ts';
import type { Output } from './progress.ts';

/** What a command of `packshot` is given. */
export interface CommandContext {
  /** What follows its name. */
  words: string[];
  /** How the command is typed, where it is not by its own name. */
  typed?: string;
  /** The folder that paths are relative to. */
  folder: string;
  /** @returns a client for the configured address and key. @throws SettingsError when one is missing */
  connect(): Promise<Packshot>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Prints a line of results. */
  print(line: string): void;
  /** For progress and questions, which are no results. */
  note: Output;
  /** For what is not given; undefined: it must be given. */
  defaults?: { photo: string; scene: string };
  /** Asks a person, where there is one; undefined where there is none. */
  ask: ((question: string) => Promise<boolean>) | undefined;
}
