/**
 * Replaces `@node-rs/argon2` in integration and browser tests (`cheap-argon2-hook.ts`): the same functions, but hashes have
 * the lowest cost. Verifying reads the cost from the hash. A server that a test starts as a process hashes at the
 * product's cost.
 */
import { hash as hashAtCost } from '@node-rs/argon2';

export { verify } from '@node-rs/argon2';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
}
