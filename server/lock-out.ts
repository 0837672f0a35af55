import { createHash } from 'node:crypto';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { limits } from '../shared/contract/index.ts';
import type { Data } from '../shared/data/connect.ts';
import { Refusal } from '../shared/errors.ts';

/** Counts failed sign-ins in a row for an address, known or not, for all servers together. */
export interface LockOut {
  /** @throws Refusal ACCOUNT_LOCKED while the address is locked out */
  check(email: string): Promise<void>;
  /** Counts a failure. @returns whether it is the one that locks the address out */
  fail(email: string): Promise<boolean>;
  /** Starts over: signed in, unlocked, or the password set anew. */
  clear(email: string): Promise<void>;
}

const lockSeconds = limits.lockOutMinutes * 60;

/** The failures of an address are kept under its hash, and forgotten after the time that a lock lasts. */
export function createLockOut(data: Data): LockOut {
  const failures = new RateLimiterMongo({
    storeClient: data.connection,
    tableName: 'sign_in_failures',
    keyPrefix: 'failures',
    points: limits.lockOutFailures,
    duration: lockSeconds,
  });
  const keyOf = (email: string) => createHash('sha256').update(email).digest('base64url');

  return {
    async check(email) {
      const counted = await failures.get(keyOf(email));
      if (counted === null || counted.consumedPoints < limits.lockOutFailures) return;
      throw new Refusal('ACCOUNT_LOCKED', {
        retryAfterSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
      });
    },
    async fail(email) {
      const { consumedPoints } = await failures.penalty(keyOf(email), 1);
      if (consumedPoints !== limits.lockOutFailures) return false;
      // From now on for its whole time: so far it counts from the first failure.
      await failures.block(keyOf(email), lockSeconds);
      return true;
    },
    async clear(email) {
      await failures.delete(keyOf(email));
    },
  };
}
