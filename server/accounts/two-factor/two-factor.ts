import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { consumePasskeyCode } from '#shared/data/accounts/passkey-challenges.ts';
import { consumeRecoveryCode, consumeTimeStep } from '#shared/data/accounts/two-factor.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { UserRow } from '#shared/data/users.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSeal } from '#shared/platform/seal.ts';

/**
 * Whether signing in takes a code. The profile decides, but only while there is a secret: a request that turns two-factor
 * sign-in on may write to the profile after another one turned it off and removed the secret.
 */
export function hasTwoFactor(
  user: Pick<UserRow, 'two_factor'>,
  profile: Pick<ProfileRow, 'two_factor_enabled'>,
): boolean {
  return profile.two_factor_enabled && Boolean(user.two_factor);
}

/** How many steps before and after the current one are accepted (RFC 6238, 5.2): clocks differ, and typing takes time. */
const window = 1;

const sixDigits = /^[0-9]{6}$/;

/** @param secret Base32 */
const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Packshot',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: Secret.fromBase32(secret),
  });

/** A new secret for an authenticator app: 160 bits in Base32, as RFC 4226 recommends. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The URI that an authenticator app reads from a QR code. @param email names the account in the app */
export function otpauthUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** @returns the time step that a code belongs to, or null when it is wrong, too old or not yet right */
export function stepOf(secret: string, code: string, now = new Date()): number | null {
  // otpauth compares in constant time, which takes codes of the same number of bytes.
  if (!sixDigits.test(code)) return null;
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/**
 * Accepts a code of the authenticator app, a recovery code, or the code that a passkey gave. Each counts once, even if two requests bring it together.
 * @param user as it was read; its secret must still be the same
 * @param code as its schema gives it: without spaces and hyphens, in lower case
 * @returns which kind it was, or null when it is refused
 * @throws AppError UNAVAILABLE when the secret cannot be opened
 */
export async function consumeCode(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  user: Pick<UserRow, '_id' | 'two_factor'>,
  code: string,
): Promise<'code' | 'recovery' | 'passkey' | null> {
  if (!user.two_factor) return null;
  if (await consumePasskeyCode(db, user._id, code)) return 'passkey';
  const { secret: stored } = user.two_factor;
  if (stored !== null && sixDigits.test(code)) {
    const step = stepOf(opened(config, stored, user._id), code);
    return step !== null && (await consumeTimeStep(db, user._id, stored, step)) ? 'code' : null;
  }
  // Looked up by its hash: the time that takes tells nothing about the codes that exist.
  return (await consumeRecoveryCode(db, user._id, stored, hashRecoveryCode(code))) ? 'recovery' : null;
}

/** @throws AppError UNAVAILABLE for a secret that none of the keys opens: recovery codes work without it */
function opened(
  { sealingSecrets }: Pick<Config, 'sealingSecrets'>,
  stored: string,
  sellerId: string,
): string {
  try {
    return createSeal(sealingSecrets).open(stored, sellerId);
  } catch (cause) {
    throw new AppError('UNAVAILABLE', {
      message: "We can't check codes of your app right now. Please use a recovery code.",
      cause,
    });
  }
}

/** Crockford's Base32: 32 characters, five bits each, none of which looks like another one. */
const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** New recovery codes, such as `k7qf-2m9x-0hwt`: 60 bits each, so a fast hash protects them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: limits.recoveryCodes }, () => {
    const characters = Array.from(randomBytes(12), (byte) => recoveryAlphabet[byte & 31]).join('');
    return characters.match(/.{4}/g)!.join('-');
  });
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** SHA-256 of a recovery code as people may type it: `o` counts as a zero, `i` and `l` as a one. */
function hashRecoveryCode(code: string): string {
  const normalized = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return createHash('sha256').update(normalized).digest('base64url');
}
