import type { Db } from './db.ts';

/*
 * What rarely changes is read once a second at most (docs/decisions/0126-what-rarely-changes-is-read-once-a-second.md). No
 * profile, balance, hold, payment or count is ever kept: what is admitted and what costs money is decided by a fresh reading
 * or by a compare-and-set. `tests/repository/kept-values.test.ts` lists what may be kept.
 */

/** For how long a value is used, in ms, from the time at which its reading began. */
export const keptMs = 1_000;

/** With more keys than this, those whose time is over are forgotten. */
const keysMost = 1_000;

interface Reading<Value> {
  value: Promise<Value>;
  until: number;
}

/** Reads a value, or returns the one that was read for the same key within the last second. */
export interface Kept<Value> {
  (db: Db, key: string): Promise<Value>;
  /** Must be called after this process has changed the value: it is read again then. */
  forget(db: Db, key: string): void;
  /** Keeps a value that this process reads in another way, as one that begins to be read now. */
  learn(db: Db, key: string, value: Promise<Value>): void;
}

/**
 * Keeps what a function reads, for each handle and key. Those who ask at the same time share one reading; one that fails is
 * not kept.
 * @param mayBeKept whether a value is one that may be kept
 */
export function keep<Value>(
  read: (db: Db, key: string) => Promise<Value>,
  mayBeKept: (value: Value) => boolean,
): Kept<Value> {
  const ofHandles = new WeakMap<Db, Map<string, Reading<Value>>>();

  function readingsOf(db: Db): Map<string, Reading<Value>> {
    const readings = ofHandles.get(db) ?? new Map<string, Reading<Value>>();
    ofHandles.set(db, readings);
    return readings;
  }

  function ask(db: Db, key: string): Promise<Value> {
    const readings = readingsOf(db);
    // It goes on while the process is suspended.
    const now = performance.now();
    const known = readings.get(key);
    if (known && now < known.until) return known.value;
    learn(db, key, read(db, key));
    return readings.get(key)!.value;
  }

  function learn(db: Db, key: string, value: Promise<Value>): void {
    const readings = readingsOf(db);
    const now = performance.now();
    if (readings.size >= keysMost) removeOld(readings, now);
    const reading = { value, until: now + keptMs };
    // Deleted first, so that the readings are in the order of their times.
    readings.delete(key);
    readings.set(key, reading);
    const drop = () => {
      if (readings.get(key) === reading) readings.delete(key);
    };
    reading.value.then((value) => mayBeKept(value) || drop(), drop);
  }

  return Object.assign(ask, {
    forget: (db: Db, key: string) => void readingsOf(db).delete(key),
    learn,
  });
}

function removeOld<Value>(readings: Map<string, Reading<Value>>, now: number): void {
  for (const [key, { until }] of readings) {
    if (until > now) return;
    readings.delete(key);
  }
}
