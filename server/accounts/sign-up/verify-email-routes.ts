import { paths, sessionReplySchema, verifyEmailSchema } from '#contract';
import { beginSession } from '#server/accounts/sessions/begin-session.ts';
import { createSignInGuard } from '#server/accounts/sign-in/sign-in-guard.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findToken, removeTokens } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { markVerified } from '#shared/data/accounts/sign-in.ts';
import { findUserBySignUp } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSignUpCookie } from './sign-up-cookie.ts';

/** Confirms the link in the verification mail. */
export async function verifyEmailRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const guard = createSignInGuard(context);
  const signUpCookie = createSignUpCookie(context);

  app.post(
    paths.verifyEmail,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'verifyEmail',
        tags: ['account'],
        summary: 'Verify the address and sign in',
        body: verifyEmailSchema,
        response: { 200: sessionReplySchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      const row = await findToken(db, 'verify-email', token);
      const signUp = row?.browser ?? null;
      // Finds no user if a newer sign-up has replaced this one.
      const user = row && signUp && (await findUserBySignUp(db, row.user_id, signUp));
      if (!user) throw new AppError('TOKEN_INVALID');

      // The link proves access to the mailbox. The password may have been chosen by somebody else, in another browser.
      if (signUpCookie.read(request) !== signUp) {
        if (password === undefined) throw new AppError('PASSWORD_REQUIRED');
        const attempt = await guard.admit(request, user.email, user);
        if (!(await attempt.password(user, password))) throw new AppError('WRONG_PASSWORD');
        await attempt.succeed();
      }

      if (!(await markVerified(db, user._id, signUp))) throw new AppError('TOKEN_INVALID');
      await removeTokens(db, user._id, 'verify-email');
      // Also with the cookie: the browser that has it gave the password when it signed up.
      const session = await beginSession(app, context, request, reply, user, {
        factors: ['password'],
        staySignedIn: false,
      });
      // The password was reset meanwhile. The address stays verified.
      if (!session) throw new AppError('UNAUTHENTICATED');
      await recordActivity(db, user._id, 'signed-in', request.from);
      signUpCookie.clear(reply);
      return session;
    },
  );
}
