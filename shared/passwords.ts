import { hash, verify } from '@node-rs/argon2';

/** Argon2id at 19 MiB and two passes: OWASP's first recommendation. It runs on libuv's threads, off the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @returns the hash with its parameters and salt, to be stored as it is */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/**
 * Checks a password. Without a stored hash it does the same work and says no, so that an unknown address
 * takes as long as a wrong password.
 */
export async function verifyPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  if (storedHash !== undefined) return verify(storedHash, password);
  await hashPassword(password);
  return false;
}
