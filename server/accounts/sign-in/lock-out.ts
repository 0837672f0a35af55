import { createHash } from 'node:crypto';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter, type RateCounter } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Who tries to sign in. */
export interface Suspect {
  /** Known or not. */
  email: string;
  network: string;
  /** By what the account knows the browser; null for any other. */
  device: string | null;
}

/** A count that has just reached its limit. */
export interface Lock {
  /** Who is kept out: a network, a device that the account knows, or every device that it does not know. */
  of: 'network' | 'device' | 'everybody';
  /** By this the lock is opened. */
  key: string;
}

/** Counts failed sign-ins, for all servers together. Nobody's session ends by it. */
export interface LockOut {
  /** @throws Refusal ACCOUNT_LOCKED */
  check(suspect: Suspect): Promise<void>;
  /** Counts a failure. @returns what it locks, null when it is one of many */
  fail(suspect: Suspect, what: 'password' | 'code'): Promise<Lock | null>;
  /** Counts anew for a device or network that has signed in; others still have their own count. */
  succeed(suspect: Suspect): Promise<void>;
  /** Lets the owner in again. @param key of a lock besides the suspect's own */
  clear(suspect: Suspect, key?: string | null): Promise<void>;
  /** Whether every device that the account does not know is kept out. */
  isLocked(email: string): Promise<boolean>;
}

const lockSeconds = limits.lockOutMinutes * 60;

/**
 * Whoever tries codes has the password already: a wrong one counts as many as this in the sum over all networks, which
 * is what stands between somebody with many networks and the few codes that there are.
 */
const codeWeight = limits.lockOutFailuresOfAll / limits.lockOutFailures;

/**
 * A network that fails is locked out of one account, not everybody out of it; only where many networks fail, all devices
 * that the account does not know are. Counts are kept under hashes, and forgotten after the time that a lock lasts.
 */
export function createLockOut(db: Db): LockOut {
  const counter = (name: string, points: number) =>
    openRateCounter(db, { collection: name, keyPrefix: 'failures', points, seconds: lockSeconds });
  const single = counter('sign_in_failures', limits.lockOutFailures);
  const all = counter('sign_in_failures_of_all', limits.lockOutFailuresOfAll);
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  const allKey = (email: string) => hash(email);
  const singleKey = ({ email, network, device }: Suspect) =>
    hash(device === null ? `network ${network} ${email}` : `device ${device}`);

  const isReached = (counted: RateLimiterRes | null, limit: number): counted is RateLimiterRes =>
    counted !== null && counted.consumedPoints >= limit;

  /** Counts. @returns whether this is the failure that reaches the limit */
  async function count(limiter: RateCounter, key: string, weight: number): Promise<boolean> {
    const { consumedPoints } = await limiter.penalty(key, weight);
    if (consumedPoints < limiter.points || consumedPoints - weight >= limiter.points) return false;
    // From now on for its whole time: so far it counts from the first failure.
    await limiter.block(key, lockSeconds);
    return true;
  }

  return {
    async check(suspect) {
      const [own, ofAll] = await Promise.all([
        single.get(singleKey(suspect)),
        suspect.device === null ? all.get(allKey(suspect.email)) : null,
      ]);
      const reached = [
        isReached(own, limits.lockOutFailures) ? own : null,
        isReached(ofAll, limits.lockOutFailuresOfAll) ? ofAll : null,
      ].filter((each) => each !== null);
      if (reached.length === 0) return;
      const waitMs = Math.max(...reached.map(({ msBeforeNext }) => msBeforeNext));
      throw new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    },
    async fail(suspect, what) {
      const [own, ofAll] = [singleKey(suspect), allKey(suspect.email)];
      const locksOwn = await count(single, own, 1);
      if (suspect.device !== null) return locksOwn ? { of: 'device', key: own } : null;
      if (await count(all, ofAll, what === 'code' ? codeWeight : 1)) return { of: 'everybody', key: own };
      return locksOwn ? { of: 'network', key: own } : null;
    },
    async succeed(suspect) {
      await single.delete(singleKey(suspect));
    },
    async clear(suspect, key = null) {
      const keys = new Set([singleKey(suspect), singleKey({ ...suspect, device: null })]);
      if (key !== null) keys.add(key);
      for (const each of keys) await single.delete(each);
      await all.delete(allKey(suspect.email));
    },
    async isLocked(email) {
      return isReached(await all.get(allKey(email)), limits.lockOutFailuresOfAll);
    },
  };
}
