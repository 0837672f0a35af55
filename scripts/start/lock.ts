/** One stack for a data folder: a lock that the kernel releases when its holder dies, and a record of the holder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StackError } from './process.ts';

const recordName = 'running.json';

export interface StackLock {
  /** Records the addresses of the stack, for commands and for a second start on the same folder. */
  writeRecord(addresses: Omit<StackRecord, 'process'>): void;
  release(): void;
}

/**
 * Takes the lock of a data folder, which must exist.
 * @throws StackError that names the holder
 */
export function lockDataFolder(dataFolder: string): StackLock {
  const recordFile = join(dataFolder, recordName);
  // SQLite's exclusive lock is the only file lock that Node has; the kernel releases it even after SIGKILL.
  const lock = new DatabaseSync(join(dataFolder, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!/locked/.test((error as Error).message)) throw error;
    throw new StackError(inUse(dataFolder));
  }
  // A stack that was killed left its record.
  rmSync(recordFile, { force: true });
  return {
    writeRecord: (addresses) =>
      writeFileSync(recordFile, JSON.stringify({ ...addresses, process: process.pid }), { mode: 0o600 }),
    release() {
      rmSync(recordFile, { force: true });
      lock.close();
    },
  };
}

/** A running stack. */
interface StackRecord {
  url: string;
  mongodbUrl: string;
  /** Address of the local Stripe; undefined if Stripe itself is configured. */
  stripeUrl?: string | undefined;
  /** Whether only this machine reaches the stack, so that sellers with a known password may exist. */
  demoSellersAllowed: boolean;
  process: number;
}

/** The record of the stack that runs on a data folder; undefined when none runs. */
export function runningStack(dataFolder: string): StackRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(join(dataFolder, recordName), 'utf8')) as StackRecord;
    // A stack that was killed left its record.
    return isAlive(record.process) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(dataFolder: string): string {
  const record = runningStack(dataFolder);
  return record === undefined
    ? `another Packshot is starting with the data in ${dataFolder}: wait for it, or end it first`
    : `Packshot already runs at ${record.url} with the data in ${dataFolder} (process ${record.process}): use it there, or end it first`;
}
