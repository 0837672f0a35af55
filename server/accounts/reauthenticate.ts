import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { UserRow } from '#shared/data/users.ts';
import { findUser } from '#shared/data/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { verifyPassword } from './passwords/passwords.ts';
import { consumeCode } from './two-factor/two-factor.ts';

/** Who is signed in shows once more that they are the seller. */
export interface Reauthentication {
  /**
   * Asks for the current password.
   * @returns the user as it is now
   * @throws Refusal WRONG_PASSWORD; RATE_LIMITED after as many wrong ones as sign-in allows
   */
  password(sellerId: string, password: string): Promise<UserRow>;
  /**
   * Uses up a two-factor code, after the password.
   * @returns what it was
   * @throws Refusal CODE_REQUIRED without one, CODE_INVALID, or RATE_LIMITED as above
   */
  code(user: UserRow, code: string | undefined): Promise<'code' | 'recovery'>;
}

/** The one place where an open session is not enough: what protects the account is changed only by who knows its password. */
export function createReauthentication({ db }: ServerContext): Reauthentication {
  const rule = { points: limits.signInAttempts, seconds: limits.signInWindowSeconds, message: tooMany };
  const limitPasswords = createRateLimit(db, { ...rule, name: 'password_attempts' });
  const limitCodes = createRateLimit(db, { ...rule, name: 'code_attempts' });
  return {
    async password(sellerId, password) {
      // Counted before it is looked at, so that many at once are no way around it.
      await limitPasswords(sellerId);
      const user = await findUser(db, sellerId);
      if (!user) throw new AppError('UNAUTHENTICATED');
      if (!(await verifyPassword(user.password_hash, password, sellerId)))
        throw new AppError('WRONG_PASSWORD');
      await limitPasswords.forget(sellerId);
      return user;
    },
    async code(user, code) {
      if (code === undefined) throw new AppError('CODE_REQUIRED');
      await limitCodes(user._id);
      const used = await consumeCode(db, user, code);
      if (!used) throw new AppError('CODE_INVALID');
      await limitCodes.forget(user._id);
      return used;
    },
  };
}

const tooMany = (seconds: number) => `Too many failed attempts. Please try again in ${seconds} seconds.`;
