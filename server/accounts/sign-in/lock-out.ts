import { createHash } from 'node:crypto';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter, type RateCounter } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Where a sign-in attempt comes from and for which address. */
export interface AttemptSource {
  /** With or without an account. */
  email: string;
  network: string;
  /** The key under which the account knows the browser; null when it does not. */
  device: string | null;
}

/** The lock that a failure has caused. */
export interface Lock {
  /** What is locked out: a network, a known device, or all unknown devices. */
  of: 'network' | 'device' | 'everybody';
  /** The key of the count that was exceeded, for `clear`. */
  key: string;
}

/** Counts failed sign-ins for all servers together. Open sessions are not affected. */
export interface LockOut {
  /** @throws AppError ACCOUNT_LOCKED */
  check(source: AttemptSource): Promise<void>;
  /** Counts a failure. @returns the lock that this failure causes, or null */
  fail(source: AttemptSource, what: 'password' | 'code'): Promise<Lock | null>;
  /** Resets the count of the device or network that has signed in. */
  succeed(source: AttemptSource): Promise<void>;
  /** Removes the locks of an address. @param key of the network or device lock to remove besides the source's own */
  clear(source: AttemptSource, key?: string | null): Promise<void>;
  /** Whether all unknown devices are locked out. */
  isLocked(email: string): Promise<boolean>;
}

const lockSeconds = limits.lockOutMinutes * 60;

/**
 * How many wrong passwords a wrong two-factor code counts as in the sum over all networks. A client that sends codes has
 * the password already, and there are few codes: this limit protects against guessing from many networks.
 */
const codeWeight = limits.lockOutFailuresOfAll / limits.lockOutFailures;

/**
 * Failures lock one network, or one known device, out of one account. After many failures from different networks all
 * unknown devices are locked out. Counts are stored under hashes and expire after the duration of a lock.
 */
export function createLockOut(db: Db): LockOut {
  const counter = (name: string, points: number) =>
    openRateCounter(db, { collection: name, keyPrefix: 'failures', points, seconds: lockSeconds });
  const single = counter('sign_in_failures', limits.lockOutFailures);
  const all = counter('sign_in_failures_of_all', limits.lockOutFailuresOfAll);
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  const allKey = (email: string) => hash(email);
  const singleKey = ({ email, network, device }: AttemptSource) =>
    hash(device === null ? `network ${network} ${email}` : `device ${device}`);

  const isReached = (counted: RateLimiterRes | null, limit: number): counted is RateLimiterRes =>
    counted !== null && counted.consumedPoints >= limit;

  /** Adds to a count. @returns whether this failure reaches the limit */
  async function count(limiter: RateCounter, key: string, weight: number): Promise<boolean> {
    const { consumedPoints } = await limiter.penalty(key, weight);
    if (consumedPoints < limiter.points || consumedPoints - weight >= limiter.points) return false;
    // The count expires after its first failure; a lock lasts its whole duration from now on.
    await limiter.block(key, lockSeconds);
    return true;
  }

  return {
    async check(source) {
      const [own, ofAll] = await Promise.all([
        single.get(singleKey(source)),
        source.device === null ? all.get(allKey(source.email)) : null,
      ]);
      const reached = [
        isReached(own, limits.lockOutFailures) ? own : null,
        isReached(ofAll, limits.lockOutFailuresOfAll) ? ofAll : null,
      ].filter((each) => each !== null);
      if (reached.length === 0) return;
      const waitMs = Math.max(...reached.map(({ msBeforeNext }) => msBeforeNext));
      throw new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    },
    async fail(source, what) {
      const [own, ofAll] = [singleKey(source), allKey(source.email)];
      const locksOwn = await count(single, own, 1);
      if (source.device !== null) return locksOwn ? { of: 'device', key: own } : null;
      if (await count(all, ofAll, what === 'code' ? codeWeight : 1)) return { of: 'everybody', key: own };
      return locksOwn ? { of: 'network', key: own } : null;
    },
    async succeed(source) {
      await single.delete(singleKey(source));
    },
    async clear(source, key = null) {
      const keys = new Set([singleKey(source), singleKey({ ...source, device: null })]);
      if (key !== null) keys.add(key);
      for (const each of keys) await single.delete(each);
      await all.delete(allKey(source.email));
    },
    async isLocked(email) {
      return isReached(await all.get(allKey(email)), limits.lockOutFailuresOfAll);
    },
  };
}
