/** One stack a data folder: a lock that the system drops when its holder dies, and a note of who holds it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StackError } from './process.ts';

const noteName = 'running.json';

export interface StackLock {
  /** Notes where the stack and its database answer, for whoever finds the folder locked. */
  note(addresses: Omit<Note, 'process'>): void;
  release(): void;
}

/**
 * Takes the lock of a data folder, which must exist.
 * @throws StackError that names the stack that has it
 */
export function lockDataFolder(dataFolder: string): StackLock {
  const noteFile = join(dataFolder, noteName);
  // SQLite's exclusive lock is the only file lock that Node has; the kernel frees it even after kill -9.
  const lock = new DatabaseSync(join(dataFolder, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!/locked/.test((error as Error).message)) throw error;
    throw new StackError(inUse(dataFolder));
  }
  // A stack that was killed left its note.
  rmSync(noteFile, { force: true });
  return {
    note: (addresses) =>
      writeFileSync(noteFile, JSON.stringify({ ...addresses, process: process.pid }), { mode: 0o600 }),
    release() {
      rmSync(noteFile, { force: true });
      lock.close();
    },
  };
}

interface Note {
  url: string;
  mongodbUrl: string;
  /** The local Stripe's; undefined where Stripe itself is configured. */
  stripeUrl?: string | undefined;
  /** Whether nobody but this machine reaches it, so that sellers with a known password may be made. */
  mayHaveDemoSellers: boolean;
  process: number;
}

/** What the stack that runs on a data folder noted of itself; undefined when none did. */
export function runningStack(dataFolder: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, noteName), 'utf8')) as Note;
  } catch {
    return undefined;
  }
}

function inUse(dataFolder: string): string {
  const note = runningStack(dataFolder);
  return note === undefined
    ? `another Packshot is starting with the data in ${dataFolder}: wait for it, or end it first`
    : `Packshot already runs at ${note.url} with the data in ${dataFolder} (process ${note.process}): use it there, or end it first`;
}
