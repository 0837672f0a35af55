import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Schema } from 'mongoose';
import { collection } from './collection.ts';
import { type Db, isDuplicateKey } from './db.ts';
import { releaseLease, renewLease, takeLease } from './lease.ts';
import { nullableDate, nullableText, type Row, rowOptions, text } from './row.ts';

const lock = {
  /** What it protects. */
  _id: text,
  holder: nullableText,
  lease_until: nullableDate,
};

/** A lock that one process of the installation holds at a time. */
export type LockRow = Row<typeof lock>;

const lockSchema = new Schema<LockRow>(lock, rowOptions);

export const locks = collection<LockRow>('locks', lockSchema);

/** Interval between attempts to take a lock, in ms. */
const retryMs = 200;

/** A lock that is held. */
export interface HeldLock {
  /** Renews the lease. @throws when the lock is lost: the lease expired and another process has taken it */
  assertHeld(): Promise<void>;
}

export interface LockOptions {
  /** How long the lock stays taken after its holder has crashed, in ms. */
  leaseMs: number;
  /** Called once if another process holds the lock. */
  onWait?: () => void;
}

/**
 * Waits for a lock, without a time limit, and runs a task under it. The lease is renewed while the task runs.
 * @throws what the task throws
 */
export async function withLock<Result>(
  db: Db,
  id: string,
  { leaseMs, onWait }: LockOptions,
  task: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  const holder = randomUUID();
  await insertLock(db, id);
  for (
    let tries = 0;
    !(await takeLease(locks(db), { _id: id }, leaseMs, { update: { $set: { holder } } }));
    tries++
  ) {
    if (tries === 0) onWait?.();
    await wait(retryMs);
  }
  const mine = { _id: id, holder };
  const held: HeldLock = {
    async assertHeld() {
      if (!(await renewLease(locks(db), mine, leaseMs))) throw new Error(`the lock "${id}" was lost`);
    },
  };
  // Errors are ignored: the next renewal may be in time, and the task calls assertHeld.
  const renewal = setInterval(() => void held.assertHeld().catch(() => {}), leaseMs / 3);
  try {
    return await task(held);
  } finally {
    clearInterval(renewal);
    await releaseLease(locks(db), mine, { update: { $set: { holder: null } } });
  }
}

async function insertLock(db: Db, id: string): Promise<void> {
  try {
    await locks(db).updateOne(
      { _id: id },
      { $setOnInsert: { holder: null, lease_until: null } },
      { upsert: true },
    );
  } catch (error) {
    // A concurrent upsert inserted it.
    if (!isDuplicateKey(error)) throw error;
  }
}
