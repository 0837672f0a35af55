import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#shared/platform/errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { createFairQueue } from './fair-queue.ts';
import { containsPersonalWord } from './personal-words.ts';

/** Argon2id at 19 MiB and two passes: OWASP's first recommendation. It runs on libuv's threads, off the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes made at a time: libuv has four threads, and files and addresses are looked up on them too. */
const atATime = 2;

/** Hashes that may wait; when there are more, some are sent away rather than kept waiting for longer than they would. */
const mostWaiting = 200;

/** When to try again after that, in seconds: by then those that waited are done. */
const retryAfterSeconds = 5;

/** In turn by who asks: one network that floods keeps nobody else waiting or out. */
const inTurn = createFairQueue({
  atOnce: atATime,
  mostWaiting,
  refusal: () => new AppError('UNAVAILABLE', { retryAfterSeconds }),
});

/**
 * Hashes a new password.
 * @param asker on whose behalf: the request's network
 * @returns the hash with its parameters and salt, to be stored as it is
 * @throws Refusal UNAVAILABLE when too many wait
 */
export function hashPassword(password: string, asker: string): Promise<string> {
  return inTurn(asker, () => hash(password, parameters));
}

/**
 * Checks a password. Without a stored hash it does the same work and says no, so that an unknown address
 * takes as long as a wrong password.
 * @param asker on whose behalf: the request's network, or the seller where one is signed in
 * @throws Refusal UNAVAILABLE when too many wait
 */
export async function verifyPassword(
  storedHash: string | undefined,
  password: string,
  asker: string,
): Promise<boolean> {
  if (storedHash !== undefined) return inTurn(asker, () => verify(storedHash, password));
  await hashPassword(password, asker);
  return false;
}

/**
 * Refuses a new password that many others have, or that is made of what everybody knows about its owner.
 * @param email the account's address
 * @throws Refusal PASSWORD_COMMON
 */
export function assertUncommonPassword(password: string, email: string): void {
  if (isCommonPassword(password)) throw new AppError('PASSWORD_COMMON');
  if (!containsPersonalWord(password, email)) return;
  throw new AppError('PASSWORD_COMMON', {
    message: "Please choose a password without your email address or the name 'Packshot' in it.",
  });
}
