import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { isCommonPassword } from './common-passwords.ts';
import { Refusal } from './errors.ts';

/** Argon2id at 19 MiB and two passes: OWASP's first recommendation. It runs on libuv's threads, off the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes made at a time: libuv has four threads, and files and addresses are looked up on them too. */
const atATime = 2;

/** Hashes that may wait; whoever comes after them is sent away rather than kept waiting for longer than they would. */
const mostWaiting = 200;

/** When to try again after that, in seconds: by then those that waited are done. */
const retryAfterSeconds = 5;

const queue = pLimit(atATime);

/** @throws Refusal UNAVAILABLE when too many wait */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (queue.pendingCount >= mostWaiting)
    return Promise.reject(new Refusal('UNAVAILABLE', { retryAfterSeconds }));
  return queue(work);
}

/**
 * @returns the hash with its parameters and salt, to be stored as it is
 * @throws Refusal UNAVAILABLE when too many wait
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters));
}

/**
 * Checks a password. Without a stored hash it does the same work and says no, so that an unknown address
 * takes as long as a wrong password.
 * @throws Refusal UNAVAILABLE when too many wait
 */
export async function verifyPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  if (storedHash !== undefined) return inTurn(() => verify(storedHash, password));
  await hashPassword(password);
  return false;
}

/** Refuses a new password that many others have. @throws Refusal PASSWORD_COMMON */
export function requireUncommon(password: string): void {
  if (isCommonPassword(password)) throw new Refusal('PASSWORD_COMMON');
}
