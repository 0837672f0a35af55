import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { limits, normalisedCode } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { keepTwoFactor } from '#shared/accounts/remove-two-factor.ts';
import { consumePasskeyCode } from '#shared/data/accounts/passkey-challenges.ts';
import { consumeRecoveryCode, consumeTimeStep, factorsOf } from '#shared/data/accounts/two-factor.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import type { Db } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
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

/** How many steps before or after the accepted ones are recognised: five minutes, by which a clock may be wrong. */
const nearby = 10;

/**
 * The error for a code that was refused. If it is the code of an earlier time, it says so: that code is of no use any more. It says
 * nothing of a code of a later time, which somebody who guesses could keep until that time.
 * @param user whose code it would have been
 */
export function refusedCode(
  { config }: Pick<ServerContext, 'config'>,
  user: Pick<UserRow, '_id' | 'two_factor'>,
  code: string,
): AppError {
  const stored = user.two_factor?.secret;
  if (!stored || !sixDigits.test(code)) return new AppError('CODE_INVALID');
  return refusedCodeOf(opened(config, stored, user._id), code, ['earlier']);
}

/**
 * The error for a code of a secret that was refused.
 * @param secret Base32
 * @param times of which something is said; `later` only to whoever was just shown the secret
 */
export function refusedCodeOf(
  secret: string,
  code: string,
  times: readonly ('earlier' | 'later')[],
  now = new Date(),
): AppError {
  const totp = totpOf(secret);
  // The steps from `nearby` to the first one beside the window.
  const middle = (nearby + window + 1) / 2;
  const isOf = (time: 'earlier' | 'later') => {
    const steps = time === 'earlier' ? -middle : middle;
    const timestamp = now.getTime() + steps * 30_000;
    return (
      sixDigits.test(code) && totp.validate({ token: code, timestamp, window: middle - window - 1 }) !== null
    );
  };
  return new AppError('CODE_INVALID', times.some(isOf) ? { message: anotherTime } : {});
}

const anotherTime =
  'This code is from another time. Please check that your phone sets its clock automatically, and enter the code it shows now.';

/**
 * Accepts a code of the authenticator app, a recovery code, or the code that a passkey gave. Each counts once, even if two
 * requests bring it together. It stops a removal of two-factor sign-in that an operator asked for: its owner has it after all.
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
  const used = await consume({ db, config }, user._id, user.two_factor.secret, code);
  if (used) await keepTwoFactor(db, user._id, 'with a code');
  return used;
}

async function consume(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  sellerId: string,
  stored: string | null,
  code: string,
): Promise<'code' | 'recovery' | 'passkey' | null> {
  if (await consumePasskeyCode(db, sellerId, code)) return 'passkey';
  if (stored !== null && sixDigits.test(code)) {
    const step = stepOf(opened(config, stored, sellerId), code);
    return step !== null && (await consumeTimeStep(db, sellerId, stored, step)) ? 'code' : null;
  }
  // Looked up by its hash: the time that takes tells nothing about the codes that exist.
  return (await consumeRecoveryCode(db, sellerId, stored, hashRecoveryCode(code))) ? 'recovery' : null;
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
  const normalized = normalisedCode(code).replaceAll('o', '0').replace(/[il]/g, '1');
  return createHash('sha256').update(normalized).digest('base64url');
}

/** @throws AppError TWO_FACTOR_ON or TWO_FACTOR_OFF unless two-factor sign-in is in the expected state */
export async function assertTwoFactorState(db: Db, sellerId: string, expected: 'on' | 'off'): Promise<void> {
  const [user, profile] = await Promise.all([findUser(db, sellerId), findProfile(db, sellerId)]);
  if (!user || !profile) throw new AppError('UNAUTHENTICATED');
  const state = hasTwoFactor(user, profile) ? 'on' : 'off';
  if (state !== expected) throw new AppError(state === 'on' ? 'TWO_FACTOR_ON' : 'TWO_FACTOR_OFF');
}

/**
 * @returns whether two-factor sign-in is on, with passkeys
 * @throws AppError TWO_FACTOR_ON if there is an authenticator app already
 */
export async function assertNoApp(db: Db, user: Pick<UserRow, '_id' | 'two_factor'>): Promise<boolean> {
  const profile = await findProfile(db, user._id);
  if (!profile) throw new AppError('UNAUTHENTICATED');
  const on = hasTwoFactor(user, profile);
  if (on && factorsOf(user).app) throw new AppError('TWO_FACTOR_ON');
  return on;
}
