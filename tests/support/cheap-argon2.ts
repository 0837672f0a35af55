/**
 * Replaces `@node-rs/argon2` in integration and browser tests (`cheap-argon2-hook.ts`): the same functions, but hashes have
 * the lowest cost. Verifying reads the cost from the hash. Tests of hashing itself, in `tests/integration/isolated/`,
 * use the cost of the product.
 */
import { createRequire } from 'node:module';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof import('@node-rs/argon2');

export const { verify } = argon2;

export function hash(password: string): Promise<string> {
  return argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
}
