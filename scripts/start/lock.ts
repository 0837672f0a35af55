/** One stack a data folder: a lock that the system drops when its holder dies, and a note of who holds it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StackError } from './process.ts';

export interface StackLock {
  /** Notes where the stack answers, for whoever finds the folder locked. */
  note(url: string): void;
  release(): void;
}

/**
 * Takes the lock of a data folder, which must exist.
 * @throws StackError that names the stack that has it
 */
export function lockDataFolder(dataFolder: string): StackLock {
  const noteFile = join(dataFolder, 'running.json');
  // SQLite's exclusive lock is the only file lock that Node has; the kernel frees it even after kill -9.
  const lock = new DatabaseSync(join(dataFolder, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!/locked/.test((error as Error).message)) throw error;
    throw new StackError(inUse(dataFolder, noteFile));
  }
  return {
    note: (url) => writeFileSync(noteFile, JSON.stringify({ url, process: process.pid })),
    release() {
      rmSync(noteFile, { force: true });
      lock.close();
    },
  };
}

function inUse(dataFolder: string, noteFile: string): string {
  try {
    const { url, process } = JSON.parse(readFileSync(noteFile, 'utf8')) as { url: string; process: number };
    return `Packshot already runs at ${url} with the data in ${dataFolder} (process ${process}): use it there, or end it first`;
  } catch {
    return `another Packshot is starting with the data in ${dataFolder}: wait for it, or end it first`;
  }
}
