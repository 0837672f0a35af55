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

/** A secret whose wrong tries are counted. A recovery code counts as a code. */
export type CountedSecret = 'password' | 'code';

/** The lock that a failure has caused. */
export interface Lock {
  secret: CountedSecret;
  /** What is locked out: a network, a known device, or all unknown devices. */
  of: 'network' | 'device' | 'everybody';
  /** The key of the count that was exceeded, for `clear`. */
  key: string;
}

/**
 * Counts failed sign-ins for all servers together, those of passwords and of codes by themselves. Open sessions are not
 * affected.
 */
export interface LockOut {
  /** @throws AppError ACCOUNT_LOCKED */
  check(source: AttemptSource, secret: CountedSecret): Promise<void>;
  /** Counts a failure. @returns the lock that this failure causes, or null */
  fail(source: AttemptSource, secret: CountedSecret): Promise<Lock | null>;
  /** Resets the count of a secret that was right, for the device or network that has signed in. */
  succeed(source: AttemptSource, secret: CountedSecret): Promise<void>;
  /**
   * Removes the locks of an address after wrong passwords. Those after wrong codes stay: whoever opens a link in a mail has
   * not given a code.
   * @param key of the network or device lock to remove besides the source's own
   */
  clearPasswords(source: AttemptSource, key?: string | null): Promise<void>;
  /** Whether all unknown devices are locked out, after wrong passwords or codes. */
  isLocked(email: string): Promise<boolean>;
}

const lockSeconds = limits.lockOutMinutes * 60;

/**
 * Points of a wrong secret in the sum over all networks. A client that sends codes has the password already, and there are
 * few codes: ten wrong ones, from any networks, are as many as a hundred passwords.
 */
const weights = { password: 1, code: limits.lockOutFailuresOfAll / limits.lockOutFailures } as const;

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
  const prefixes = { password: '', code: 'code ' } as const;
  const allKey = (email: string, secret: CountedSecret) => hash(prefixes[secret] + email);
  const singleKey = ({ email, network, device }: AttemptSource, secret: CountedSecret) =>
    hash(prefixes[secret] + (device === null ? `network ${network} ${email}` : `device ${device}`));

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
    async check(source, secret) {
      const [own, ofAll] = await Promise.all([
        single.get(singleKey(source, secret)),
        source.device === null ? all.get(allKey(source.email, secret)) : null,
      ]);
      const reached = [
        isReached(own, limits.lockOutFailures) ? own : null,
        isReached(ofAll, limits.lockOutFailuresOfAll) ? ofAll : null,
      ].filter((each) => each !== null);
      if (reached.length === 0) return;
      const waitMs = Math.max(...reached.map(({ msBeforeNext }) => msBeforeNext));
      throw new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    },
    async fail(source, secret) {
      const [key, ofAll] = [singleKey(source, secret), allKey(source.email, secret)];
      const locksOwn = await count(single, key, 1);
      if (source.device !== null) return locksOwn ? { secret, of: 'device', key } : null;
      if (await count(all, ofAll, weights[secret])) return { secret, of: 'everybody', key };
      return locksOwn ? { secret, of: 'network', key } : null;
    },
    async succeed(source, secret) {
      await single.delete(singleKey(source, secret));
    },
    async clearPasswords(source, key = null) {
      const own = [source, { ...source, device: null }].map((each) => singleKey(each, 'password'));
      for (const each of new Set(key === null ? own : [...own, key])) await single.delete(each);
      await all.delete(allKey(source.email, 'password'));
    },
    async isLocked(email) {
      const counts = await Promise.all([all.get(allKey(email, 'password')), all.get(allKey(email, 'code'))]);
      return counts.some((each) => isReached(each, limits.lockOutFailuresOfAll));
    },
  };
}
