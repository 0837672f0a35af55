import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../shared/data/user.ts';
import type { App } from './app.ts';
import type { ServerContext } from './context.ts';
import { createLockOut } from './lock-out.ts';
import { noteFailedSignIn } from './sign-in-failures.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** One attempt to show that an account is one's own, which has been let in to be looked at. */
export interface SignInAttempt {
  /** It was wrong: it is counted, and may lock. */
  fail(): Promise<void>;
  /** It was right: counting begins anew. */
  succeed(): Promise<void>;
}

/** Whoever is asked for a password without a session: at sign-in, and behind the links of some mails. */
export interface SignInGuard {
  /**
   * Lets an attempt in.
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
export function createSignInGuard(app: App, context: ServerContext): SignInGuard {
  const limitSignIn = createSignInLimit(context.data);
  const lockOut = createLockOut(context.data);
  return {
    async admit(request, email, user) {
      await limitSignIn(email);
      await lockOut.check(email);
      return {
        fail: () => noteFailedSignIn(app, context, lockOut, { email, user, from: request.from }),
        succeed: () => lockOut.clear(email),
      };
    },
  };
}
