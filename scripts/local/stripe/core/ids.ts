import { randomBytes } from 'node:crypto';

/** Generates an id like Stripe's, such as `cus_9f…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
