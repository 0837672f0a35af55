import type { FastifyRequest } from 'fastify';
import { verifyPassword } from '#server/accounts/passwords/passwords.ts';
import { recoveryCodeUsed } from '#server/accounts/two-factor/recovery-code-used.ts';
import { consumeCode } from '#server/accounts/two-factor/two-factor.ts';
import type { ServerContext } from '#server/http/context.ts';
import { isDeviceWithCode } from '#shared/data/accounts/sign-in.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { setLocked } from '#shared/data/profiles/find.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { createFailureRecorder } from './failed-sign-ins.ts';
import { type AttemptSource, type CountedSecret, createLockOut } from './lock-out.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** A sign-in attempt that is within the limits. A wrong password or code is counted and recorded; it may cause a lock. */
export interface SignInAttempt {
  /** Whether the account knows the browser by its cookie; what a browser says about itself proves nothing. */
  knownDevice: boolean;
  /**
   * Checks a password.
   * @param user null for an address without an account: takes as long, and is wrong
   * @returns whether it is right
   */
  password(user: Pick<UserRow, '_id' | 'password_hash'> | null, password: string): Promise<boolean>;
  /**
   * Checks a two-factor code, a recovery code or the code of a passkey, and uses it up. A recovery code is told to the owner by mail.
   * @returns which kind it was; null if it is wrong
   * @throws AppError ACCOUNT_LOCKED after too many wrong codes
   */
  code(
    user: Pick<UserRow, '_id' | 'email' | 'two_factor'>,
    code: string,
  ): Promise<'code' | 'recovery' | 'passkey' | null>;
  /** Checks the answer of a passkey. A wrong one counts as a wrong password. @returns whether it is right */
  passkey(verify: () => Promise<boolean>): Promise<boolean>;
  /** Resets the counts of failures of what was right in this attempt. */
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
    user: Pick<UserRow, '_id' | 'email' | 'sign_up'> | null,
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
      await lockOut.check(source, 'password');
      await limitSignIn(device ?? email);
      const right = new Map<CountedSecret, AttemptSource>();
      // A link in a mail makes a device known as well, without a code: it must not give the guesser of codes a new count.
      const codeSource = async () =>
        device !== null && (await isDeviceWithCode(db, device)) ? source : { ...source, device: null };
      const fail = async (from: AttemptSource, secret: CountedSecret) => {
        const lock = await lockOut.fail(from, secret);
        if (user) await recordFailure(user, request, lock);
      };
      return {
        knownDevice: device !== null,
        async password(checked, password) {
          const correct = await verifyPassword(checked, password, request.network);
          if (correct) right.set('password', source);
          else await fail(source, 'password');
          return correct;
        },
        async code(checked, code) {
          const from = await codeSource();
          await lockOut.check(from, 'code');
          const used = await consumeCode(context, checked, code);
          if (used) right.set('code', from);
          else await fail(from, 'code');
          if (used === 'recovery') await recoveryCodeUsed(context, checked, request.from);
          return used;
        },
        async passkey(verify) {
          const correct = await verify();
          if (correct) right.set('password', source);
          else await fail(source, 'password');
          return correct;
        },
        async succeed() {
          for (const [secret, from] of right) await lockOut.succeed(from, secret);
          // An unknown device can only have signed in if the account is not locked.
          const locked = device !== null && (await lockOut.isLocked(email));
          if (user && !locked) await setLocked(db, user._id, false);
        },
      };
    },
  };
}
