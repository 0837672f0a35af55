import { z } from 'zod';
import { latinDigits } from './latin-digits.ts';

const missing = 'Please enter the code';

/** What people and programs put between the characters of a code: spaces, dashes, and characters that nobody sees. */
const separators = /[\s\p{Z}\p{Pd}\p{C}\p{DI}\u2212_.·]/gu;

/** A code in the form in which it is compared: ASCII in lower case, without separators. */
export function normalisedCode(code: string): string {
  return latinDigits(code.normalize('NFKC')).replace(separators, '').toLowerCase();
}

/** Six digits from an authenticator app, or a recovery code, in the form of {@link normalisedCode}. */
export const codeSchema = z
  .string({ error: missing })
  .max(80, { error: missing })
  .overwrite(normalisedCode)
  .min(1, { error: missing });
