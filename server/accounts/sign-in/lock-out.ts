import { createHash } from 'node:crypto';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { openRateCounter, type RateCounter } from '#shared/data/rate-limits.ts';
import { AppError } from '#shared/platform/errors.ts';
import { networkTiers } from '#shared/platform/network-tiers.ts';

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
  /** The network that is locked out, which may be a wider one; of a device or of everybody, where the failure came from. */
  network: string;
  /** The key of the count of a known device, for `unlock`; null for the others. */
  deviceKey: string | null;
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
   * Removes the locks after wrong passwords of a source's own device and network, and of a known device. Whoever guesses from
   * elsewhere gets no further attempts by it. Those after wrong codes stay: whoever opens a link in a mail has not given a code.
   */
  unlock(source: AttemptSource, deviceKey: string | null): Promise<void>;
  /** Removes the locks of a source after wrong passwords, and the one of all unknown devices. */
  clearPasswords(source: AttemptSource): Promise<void>;
  /** Whether all unknown devices are locked out, after wrong passwords or codes. */
  isLocked(email: string): Promise<boolean>;
}

/** The count of a known device, a network or a wider network. */
interface OwnCount {
  counter: RateCounter;
  key: string;
  network: string;
}

const lockSeconds = limits.lockOutMinutes * 60;

/**
 * Points of a wrong secret in the sum over all networks. A client that sends codes has the password already, and there are
 * few codes: ten wrong ones, from any networks, are as many as a hundred passwords.
 */
const weights = { password: 1, code: limits.lockOutFailuresOfAll / limits.lockOutFailures } as const;

/**
 * Failures lock one network and the wider ones of which it is a part, each with its own number, or one known device, out of one
 * account. After many failures from different networks all unknown devices are locked out. Counts are stored under hashes and
 * expire after the duration of a lock.
 */
export function createLockOut(db: Db): LockOut {
  const counter = (name: string, points: number) =>
    openRateCounter(db, { collection: name, keyPrefix: 'failures', points, seconds: lockSeconds });
  const single = (times: number) => counter('sign_in_failures', limits.lockOutFailures * times);
  const all = counter('sign_in_failures_of_all', limits.lockOutFailuresOfAll);
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  const prefixes = { password: '', code: 'code ' } as const;
  const ofAll = (email: string, secret: CountedSecret) => ({
    counter: all,
    key: hash(prefixes[secret] + email),
  });
  /** The counts of a source: its device, or its networks, the smallest first. */
  const ownCounts = ({ email, network, device }: AttemptSource, secret: CountedSecret): OwnCount[] =>
    device === null
      ? networkTiers(network).map((tier) => ({
          counter: single(tier.times),
          key: hash(`${prefixes[secret]}network ${tier.network} ${email}`),
          network: tier.network,
        }))
      : [{ counter: single(1), key: hash(`${prefixes[secret]}device ${device}`), network }];

  /** A count that has reached its limit; else null. */
  const readReached = async ({ counter, key }: Pick<OwnCount, 'counter' | 'key'>) => {
    const counted: RateLimiterRes | null = await counter.get(key);
    return counted !== null && counted.consumedPoints >= counter.points ? counted : null;
  };

  /** Adds to a count. @returns whether this failure reaches the limit */
  async function count(limiter: RateCounter, key: string, weight: number): Promise<boolean> {
    const { consumedPoints } = await limiter.penalty(key, weight);
    if (consumedPoints < limiter.points || consumedPoints - weight >= limiter.points) return false;
    // The count expires after its first failure; a lock lasts its whole duration from now on.
    await limiter.block(key, lockSeconds);
    return true;
  }

  const resetOwn = async (source: AttemptSource, secret: CountedSecret) => {
    for (const { counter, key } of ownCounts(source, secret)) await counter.delete(key);
  };
  const unlock = async (source: AttemptSource, deviceKey: string | null) => {
    await resetOwn(source, 'password');
    if (source.device !== null) await resetOwn({ ...source, device: null }, 'password');
    if (deviceKey !== null) await single(1).delete(deviceKey);
  };

  return {
    async check(source, secret) {
      const counts = [
        ...ownCounts(source, secret),
        ...(source.device === null ? [ofAll(source.email, secret)] : []),
      ];
      const reached = (await Promise.all(counts.map(readReached))).filter((each) => each !== null);
      if (reached.length === 0) return;
      const waitMs = Math.max(...reached.map(({ msBeforeNext }) => msBeforeNext));
      throw new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    },
    async fail(source, secret) {
      let locked: OwnCount | null = null;
      // The widest one that is locked remains.
      for (const own of ownCounts(source, secret)) if (await count(own.counter, own.key, 1)) locked = own;
      const { device, email, network } = source;
      if (device !== null) return locked && { secret, of: 'device', network, deviceKey: locked.key };
      if (await count(all, ofAll(email, secret).key, weights[secret])) {
        return { secret, of: 'everybody', network, deviceKey: null };
      }
      return locked && { secret, of: 'network', network: locked.network, deviceKey: null };
    },
    succeed: resetOwn,
    unlock,
    async clearPasswords(source) {
      await unlock(source, null);
      await all.delete(ofAll(source.email, 'password').key);
    },
    async isLocked(email) {
      const counts = [ofAll(email, 'password'), ofAll(email, 'code')];
      return (await Promise.all(counts.map(readReached))).some((each) => each !== null);
    },
  };
}
