import type { FastifyRequest } from 'fastify';
import { limits } from '#contract';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import {
  endGuess,
  type GuessedSecret,
  sessionLockedUntil,
  takeGuess,
} from '#shared/data/accounts/session-guesses.ts';
import { confirmSession } from '#shared/data/accounts/sessions.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { verifyPassword } from './passwords/passwords.ts';
import { createFailureRecorder } from './sign-in/failed-sign-ins.ts';
import { codeRequired } from './two-factor/code-required.ts';
import { recoveryCodeUsed } from './two-factor/recovery-code-used.ts';
import { consumeCode, refusedCode } from './two-factor/two-factor.ts';

/**
 * Asks a signed-in seller for password or code again. Wrong ones count for the session in which they are entered, and
 * lock it as sign-in would be; a session that is locked `limits.sessionLocks` times ends. Right ones confirm the session.
 */
export interface Reauthentication {
  /**
   * Checks the current password.
   * @returns the user
   * @throws AppError WRONG_PASSWORD; ACCOUNT_LOCKED after too many wrong ones, RATE_LIMITED after too many in a minute
   */
  password(request: SessionRequest, password: string): Promise<UserRow>;
  /**
   * Checks a two-factor code, a recovery code or the code of a passkey, and uses it up.
   * @returns which kind it was
   * @throws AppError CODE_REQUIRED without one, CODE_INVALID, or ACCOUNT_LOCKED and RATE_LIMITED as above
   */
  code(
    request: SessionRequest,
    user: UserRow,
    code: string | undefined,
  ): Promise<'code' | 'recovery' | 'passkey'>;
}

type SessionRequest = Pick<FastifyRequest, 'caller' | 'from' | 'network'>;

/** For changes that a session alone does not permit: those of what protects the account, and its deletion. */
export function createReauthentication(
  app: Pick<App, 'endSession'>,
  context: ServerContext,
): Reauthentication {
  const { db } = context;
  const recordFailure = createFailureRecorder(context);
  const limitAttempts = createRateLimit(db, {
    name: 'session_attempts',
    points: limits.signInAttempts,
    seconds: limits.signInWindowSeconds,
    message: (seconds) => `Too many failed attempts. Please try again in ${seconds} seconds.`,
  });

  /** Lets a secret be checked, and counts and records it if it is wrong. @returns what `verify` returns */
  async function check<Result>(
    request: SessionRequest,
    secret: GuessedSecret,
    user: UserRow,
    verify: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const sessionId = sessionIdOf(request.caller);
    await assertUnlocked(sessionId);
    const limitKey = `${secret} ${sessionId}`;
    await limitAttempts(limitKey);
    const guess = await takeGuess(db, sessionId, secret);
    if (!guess) {
      await assertUnlocked(sessionId);
      throw new AppError('UNAUTHENTICATED');
    }
    let result: Result | null;
    try {
      result = await verify();
    } catch (error) {
      await endGuess(db, sessionId, secret, guess, 'unchecked');
      throw error;
    }
    if (result !== null) {
      await endGuess(db, sessionId, secret, guess, 'right');
      await limitAttempts.forget(limitKey);
      return result;
    }
    const ends = guess.count >= limits.lockOutFailures * limits.sessionLocks;
    if (ends) await app.endSession(sessionId);
    const lock = { secret, of: ends ? 'ended session' : 'session', key: null } as const;
    await recordFailure(user, request, guess.locksUntil && lock);
    return null;
  }

  /** @throws AppError ACCOUNT_LOCKED */
  async function assertUnlocked(sessionId: string): Promise<void> {
    const until = await sessionLockedUntil(db, sessionId);
    if (!until) return;
    const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000));
    const minutes = Math.ceil(seconds / 60);
    throw new AppError('ACCOUNT_LOCKED', {
      retryAfterSeconds: seconds,
      message: `Too many failed attempts. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or sign in again.`,
    });
  }

  return {
    async password(request, password) {
      const { sellerId } = request.caller;
      const user = await findUser(db, sellerId);
      if (!user) throw new AppError('UNAUTHENTICATED');
      const right = await check(request, 'password', user, async () =>
        (await verifyPassword(user, password, sellerId)) ? true : null,
      );
      if (!right) throw new AppError('WRONG_PASSWORD');
      await confirmSession(db, sessionIdOf(request.caller), 'password');
      return user;
    },
    async code(request, user, code) {
      if (code === undefined) throw codeRequired(user);
      const used = await check(request, 'code', user, () => consumeCode(context, user, code));
      if (!used) throw refusedCode(context, user, code);
      await confirmSession(db, sessionIdOf(request.caller), used);
      if (used === 'recovery') await recoveryCodeUsed(context, user, request.from);
      return used;
    },
  };
}
