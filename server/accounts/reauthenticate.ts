import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import type { UserRow } from '#shared/data/users.ts';
import { findUser } from '#shared/data/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { verifyPassword } from './passwords/passwords.ts';
import { consumeCode } from './two-factor/two-factor.ts';

/** Asks a signed-in seller for password or code again. */
export interface Reauthentication {
  /**
   * Checks the current password.
   * @returns the user
   * @throws AppError WRONG_PASSWORD; RATE_LIMITED after as many wrong ones as sign-in allows
   */
  password(sellerId: string, password: string): Promise<UserRow>;
  /**
   * Checks a two-factor code, or a recovery code, and uses it up. The password is checked first.
   * @returns which kind it was
   * @throws AppError CODE_REQUIRED without one, CODE_INVALID, or RATE_LIMITED as above
   */
  code(user: UserRow, code: string | undefined): Promise<'code' | 'recovery'>;
}

/** For changes that a session alone does not permit: those of what protects the account, and its deletion. */
export function createReauthentication({ db }: ServerContext): Reauthentication {
  const rule = { points: limits.signInAttempts, seconds: limits.signInWindowSeconds, message: tooMany };
  const limitPasswords = createRateLimit(db, { ...rule, name: 'password_attempts' });
  const limitCodes = createRateLimit(db, { ...rule, name: 'code_attempts' });
  return {
    async password(sellerId, password) {
      // Counted before the check, so that concurrent attempts cannot exceed the limit.
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
