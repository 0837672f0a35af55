import { readings } from './common-passwords.ts';

/** The product's name, a frequent part of passwords for it. */
const product = 'packshot';

/** Shorter names occur in too many other words. */
const shortestName = 4;

/**
 * Whether a password contains the address, its local part, or the product's name, regardless of case and of substituted
 * characters (`P4ckshot`).
 */
export function containsPersonalWord(password: string, email: string): boolean {
  const address = email.normalize('NFKC').toLowerCase();
  const name = address.split('@')[0]!.replace(/\+.*$/, '');
  const words = [product, address, ...(name.length >= shortestName ? [name] : [])].map(readings);
  const read = readings(password.normalize('NFKC').toLowerCase());
  return words.some((word) => word.some((reading, index) => read[index]!.includes(reading)));
}
