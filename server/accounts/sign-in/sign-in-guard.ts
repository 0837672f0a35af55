import type { FastifyRequest } from 'fastify';
import type { ServerContext } from '#server/http/context.ts';
import { setLocked } from '#shared/data/profiles/update.ts';
import type { UserRow } from '#shared/data/users.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { createFailureRecorder } from './failed-sign-ins.ts';
import { createLockOut, type Suspect } from './lock-out.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** One attempt to show that an account is one's own, which has been let in to be looked at. */
export interface SignInAttempt {
  /** It was wrong: it is counted, and may lock. */
  fail(what: 'password' | 'code'): Promise<void>;
  /** It was right: counting begins anew. */
  succeed(): Promise<void>;
}

/** Whoever is asked for a password without a session: at sign-in, and behind the links of some mails. */
export interface SignInGuard {
  /**
   * Lets an attempt in. A browser that the account knows has counts of its own, so nobody else uses them up.
   * @param user who has the address, null when nobody has
   * @throws Refusal RATE_LIMITED, ACCOUNT_LOCKED
   */
  admit(
    request: FastifyRequest,
    email: string,
    user: Pick<UserRow, '_id' | 'email'> | null,
  ): Promise<SignInAttempt>;
}

/** One for each place that asks; all of them count together. */
export function createSignInGuard(context: ServerContext): SignInGuard {
  const { db } = context;
  const limitSignIn = createSignInLimit(db);
  const lockOut = createLockOut(db);
  const devices = createDeviceCookie(context);
  const noteFailure = createFailureRecorder(context);
  return {
    async admit(request, email, user) {
      const device = await devices.known(request, user?._id ?? email);
      const suspect: Suspect = { email, network: request.network, device };
      // Before the limit: who is locked out uses up none of the few attempts that an address has in a minute.
      await lockOut.check(suspect);
      await limitSignIn(device ?? email);
      return {
        async fail(what) {
          const lock = await lockOut.fail(suspect, what);
          if (user) await noteFailure(user, request, lock);
        },
        async succeed() {
          await lockOut.succeed(suspect);
          // A device that the account does not know gets in only where the account is not locked.
          const locked = device !== null && (await lockOut.isLocked(email));
          if (user && !locked) await setLocked(db, user._id, false);
        },
      };
    },
  };
}
