import { z } from 'zod';
import { limits, passkeySignInSchema, paths, sessionReplySchema, signInSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { optionalSession } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSignIn } from './sign-in.ts';

/** Sign-in and sign-out. */
export async function sessionRoutes(app: App, { context }: { context: ServerContext }) {
  const signIn = createSignIn(app, context);

  app.post(
    paths.session,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'signIn',
        tags: ['account'],
        summary: 'Sign in',
        description: `With \`staySignedIn\` the session ends after ${limits.staySignedInDays} days without activity instead of the time in the settings.`,
        body: signInSchema,
        response: { 200: sessionReplySchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const session = await signIn.withPassword(request, reply, request.body);
      if (!session) throw new AppError('BAD_CREDENTIALS');
      return session;
    },
  );

  app.post(
    paths.passkeySession,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'signInWithPasskey',
        tags: ['account'],
        summary: 'Sign in with a passkey, without address and password',
        body: passkeySignInSchema,
        response: { 200: sessionReplySchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const session = await signIn.withPasskey(request, reply, request.body);
      if (!session) throw new AppError('PASSKEY_REFUSED');
      return session;
    },
  );

  app.delete(
    paths.session,
    {
      schema: {
        operationId: 'signOut',
        tags: ['account'],
        security: optionalSession,
        summary: 'Sign out',
        response: { 204: z.null(), ...errorReplies(403) },
      },
    },
    async (request, reply) => {
      const caller = await app.signOut(request, reply);
      if (caller) await recordActivity(context.db, caller.sellerId, 'signed-out', request.from);
      return reply.status(204).send(null);
    },
  );
}
