import { z } from 'zod';
import { confirmationSchema, paths } from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { assertTwoFactorState } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Confirms in a session that it is its owner who uses it, for what operators do. */
export async function confirmationRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db } = context;

  app.post(
    paths.confirmation,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'confirmSession',
        tags: ['account'],
        summary: 'Confirm this session with the password or a code',
        description: 'Answers CONFIRM_REQUIRED with either, and OPERATOR_CODE with a code.',
        body: confirmationSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { sellerId } = request.caller;
      if ('password' in body) await reauthenticate.password(request, body.password);
      else {
        await assertTwoFactorState(db, sellerId, 'on');
        const user = await findUser(db, sellerId);
        if (!user) throw new AppError('UNAUTHENTICATED');
        await reauthenticate.code(request, user, body.code);
      }
      return reply.status(204).send(null);
    },
  );
}
