import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { widestNetwork } from '#shared/platform/network-tiers.ts';
import { isCommonPassword } from './common-passwords.ts';
import { containsPersonalWord } from './personal-words.ts';

/** Argon2id with 19 MiB and two passes, OWASP's first recommendation. Runs on libuv's threads, not on the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes computed at a time. Libuv has four threads, which also serve files and DNS; and one core is left for requests, if there
 * are two: a hash takes as long as some dozen lists.
 */
const atATime = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Hashes that may wait. Further ones are refused, because they would take too long. */
const mostWaiting = 200;

/** When to try again after a refusal, in seconds: by then the waiting ones are done. */
const retryAfterSeconds = 5;

/** In turn by the widest network of a client, so that a flood from one does not block the others. */
const inTurn = createFairQueue({
  atOnce: atATime,
  mostWaiting,
  refusal: () => new AppError('UNAVAILABLE', { retryAfterSeconds }),
});

/** A password as it is hashed and compared: systems type the same `é` as one character or as two (RFC 8265). */
const normalised = (password: string) => password.normalize('NFC');

/** Whether two passwords are the same, however they were typed. */
export function isSamePassword(one: string, other: string): boolean {
  return normalised(one) === normalised(other);
}

/**
 * Hashes a new password.
 * @param key on whose behalf: the request's network
 * @returns the hash with its parameters and salt, to be stored as it is
 * @throws AppError UNAVAILABLE when too many wait
 */
export function hashPassword(password: string, key: string): Promise<string> {
  return inTurn({ key: widestNetwork(key) }, () => hash(normalised(password), parameters));
}

/**
 * Verifies a password. How long a wrong one takes depends only on what was typed: without a user the same work is done, so
 * an unknown address takes as long.
 * @param user null for an address without an account: false
 * @param key on whose behalf: the request's network, or the id of the signed-in seller
 * @throws AppError UNAVAILABLE when too many wait
 */
export function verifyPassword(
  user: Pick<UserRow, 'password_hash'> | null,
  password: string,
  key: string,
): Promise<boolean> {
  return inTurn({ key: widestNetwork(key) }, async () => {
    if (user) return verify(user.password_hash, normalised(password));
    await hash(normalised(password), parameters);
    return false;
  });
}

/**
 * Refuses a common password, and one that contains the address or the product's name.
 * @param email the account's address
 * @throws AppError PASSWORD_COMMON
 */
export function assertUncommonPassword(password: string, email: string): void {
  if (isCommonPassword(password)) throw new AppError('PASSWORD_COMMON');
  if (!containsPersonalWord(password, email)) return;
  throw new AppError('PASSWORD_COMMON', {
    message: "Please choose a password without your email address or the name 'Packshot' in it.",
  });
}
