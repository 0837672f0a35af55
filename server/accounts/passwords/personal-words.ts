import { readings } from './common-passwords.ts';

/** The product's name: what people put first into a password that is for it. */
const product = 'packshot';

/** Shorter names are part of too many words to be refused. */
const shortestName = 4;

/**
 * Whether a password contains what whoever guesses it knows: the address, its part before the @, or the product's name;
 * also in another case and with signs for letters (`P4ckshot`).
 */
export function containsPersonalWord(password: string, email: string): boolean {
  const address = email.normalize('NFKC').toLowerCase();
  const name = address.split('@')[0]!.replace(/\+.*$/, '');
  const words = [product, address, ...(name.length >= shortestName ? [name] : [])].map(readings);
  const read = readings(password.normalize('NFKC').toLowerCase());
  return words.some((word) => word.some((reading, index) => read[index]!.includes(reading)));
}
