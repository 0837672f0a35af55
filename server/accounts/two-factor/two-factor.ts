import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { limits } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { UserRow } from '#shared/data/users.ts';

/**
 * Whether signing in takes a code. The profile decides, but nobody is asked for the codes of a secret that is gone: a
 * request that was turning it on may write to the profile after it was taken off.
 */
export function hasTwoFactor(
  user: Pick<UserRow, 'two_factor'>,
  profile: Pick<ProfileRow, 'two_factor_enabled'>,
): boolean {
  return profile.two_factor_enabled && Boolean(user.two_factor);
}

/** Steps before and after the present one whose codes are taken (RFC 6238, 5.2): clocks differ, and typing takes time. */
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

/** What an authenticator app reads from a QR code. @param email says which account it is */
export function otpauthUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** @returns the time step that a code belongs to, or null when it is wrong, too old or not yet right */
export function stepOf(secret: string, code: string, now = Date.now()): number | null {
  // otpauth compares in constant time, for which both must be of the same bytes.
  if (!sixDigits.test(code)) return null;
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/**
 * Uses up a code in place of the seller's presence. A time step counts once, and so does a recovery code: of two that
 * come at the same time one is refused.
 * @param user as it was read; its secret must still be the same
 * @param code as its schema gives it: without spaces and hyphens, in lower case
 * @returns what it was, or null when it is refused
 */
export async function takeCode(
  db: Db,
  user: Pick<UserRow, '_id' | 'two_factor'>,
  code: string,
): Promise<'code' | 'recovery' | null> {
  if (!user.two_factor) return null;
  const { secret } = user.two_factor;
  if (sixDigits.test(code)) {
    const step = stepOf(secret, code);
    if (step === null) return null;
    const used = await db.users.updateOne(
      { _id: user._id, 'two_factor.secret': secret, 'two_factor.last_step': { $lt: step } },
      { $set: { 'two_factor.last_step': step } },
    );
    return used.modifiedCount === 1 ? 'code' : null;
  }
  // Looked up by its hash: how long that takes says nothing about the codes that there are.
  const hash = hashRecoveryCode(code);
  const used = await db.users.updateOne(
    { _id: user._id, 'two_factor.secret': secret, 'two_factor.recovery_codes': hash },
    { $pull: { 'two_factor.recovery_codes': hash } },
  );
  return used.modifiedCount === 1 ? 'recovery' : null;
}

/** 32 signs, five bits each, without those that are taken for others (Crockford's Base32). */
const recoverySigns = '0123456789abcdefghjkmnpqrstvwxyz';

/** New recovery codes, such as `k7qf-2m9x-0hwt`: 60 bits each, so a fast hash is enough to keep them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: limits.recoveryCodes }, () => {
    const signs = Array.from(randomBytes(12), (byte) => recoverySigns[byte & 31]).join('');
    return signs.match(/.{4}/g)!.join('-');
  });
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** SHA-256 of a recovery code as people may write it: an `o` is a zero, `i` and `l` are a one. */
function hashRecoveryCode(code: string): string {
  const read = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return createHash('sha256').update(read).digest('base64url');
}
