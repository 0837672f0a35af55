/**
 * Replaces `@node-rs/argon2` in integration and browser tests (`cheap-argon2-hook.ts`): the same functions, but hashes have
 * the lowest cost. Verifying reads the cost from the hash. Tests of hashing itself, in `tests/integration/isolated/`,
 * use the cost of the product.
 */
import { hash as hashAtCost } from '@node-rs/argon2';

export { verify } from '@node-rs/argon2';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
}
