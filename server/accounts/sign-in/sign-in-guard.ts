import type { FastifyRequest } from 'fastify';
import { verifyPassword } from '#server/accounts/passwords/passwords.ts';
import { consumeCode } from '#server/accounts/two-factor/two-factor.ts';
import type { ServerContext } from '#server/http/context.ts';
import { setLocked } from '#shared/data/profiles/update.ts';
import type { UserRow } from '#shared/data/users.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { createFailureRecorder } from './failed-sign-ins.ts';
import { type AttemptSource, createLockOut } from './lock-out.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** A sign-in attempt that is within the limits. A wrong password or code is counted and recorded; it may cause a lock. */
export interface SignInAttempt {
  /**
   * Checks a password.
   * @param user null for an address without an account: takes as long, and is wrong
   * @returns whether it is right
   */
  password(user: Pick<UserRow, 'password_hash'> | null, password: string): Promise<boolean>;
  /** Checks a two-factor or recovery code and uses it up. @returns which kind it was; null if it is wrong */
  code(
    user: Pick<UserRow, '_id' | 'two_factor'>,
    code: string,
  ): Promise<'code' | 'recovery' | 'passkey' | null>;
  /** Checks the answer of a passkey. A wrong one counts as a wrong password. @returns whether it is right */
  passkey(verify: () => Promise<boolean>): Promise<boolean>;
  /** Resets the count of failures. */
  succeed(): Promise<void>;
}

/** Guards the places that take a password without a session: sign-in, and the links of some mails. */
export interface SignInGuard {
  /**
   * Checks the limits before an attempt. A known device has limits of its own, so nobody else can use them up.
   * @param user the user with this address, or null
   * @throws AppError RATE_LIMITED, ACCOUNT_LOCKED
   */
  admit(
    request: FastifyRequest,
    email: string,
    user: Pick<UserRow, '_id' | 'email'> | null,
  ): Promise<SignInAttempt>;
}

/** All guards share their counts. */
export function createSignInGuard(context: ServerContext): SignInGuard {
  const { db } = context;
  const limitSignIn = createSignInLimit(db);
  const lockOut = createLockOut(db);
  const devices = createDeviceCookie(context);
  const recordFailure = createFailureRecorder(context);
  return {
    async admit(request, email, user) {
      const device = await devices.known(request, user?._id ?? email);
      const source: AttemptSource = { email, network: request.network, device };
      // Before the limit, so that a locked-out source does not use up the address's few attempts per minute.
      await lockOut.check(source);
      await limitSignIn(device ?? email);
      const fail = async (what: 'password' | 'code') => {
        const lock = await lockOut.fail(source, what);
        if (user) await recordFailure(user, request, lock);
      };
      return {
        async password(checked, password) {
          const right = await verifyPassword(checked?.password_hash, password, request.network);
          if (!right) await fail('password');
          return right;
        },
        async code(checked, code) {
          const used = await consumeCode(context, checked, code);
          if (!used) await fail('code');
          return used;
        },
        async passkey(verify) {
          const right = await verify();
          if (!right) await fail('password');
          return right;
        },
        async succeed() {
          await lockOut.succeed(source);
          // An unknown device can only have signed in if the account is not locked.
          const locked = device !== null && (await lockOut.isLocked(email));
          if (user && !locked) await setLocked(db, user._id, false);
        },
      };
    },
  };
}
