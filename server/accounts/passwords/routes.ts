import { z } from 'zod';
import { changePasswordSchema, keepPasswordPath, paths } from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { keepPassword, setPassword } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createPasswordChange } from './change-password.ts';
import { assertUncommonPassword, hashPassword, isSamePassword } from './passwords.ts';

/** Change of the password with the current one. */
export async function passwordRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db } = context;
  const renewPassword = createPasswordChange(app, context);

  app.post(
    paths.password,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'changePassword',
        tags: ['account'],
        summary: 'Change the password; all other sessions end',
        body: changePasswordSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      const { password, newPassword } = request.body;
      const user = await reauthenticate.password(request, password);
      if (isSamePassword(newPassword, password)) throw new AppError('PASSWORD_REUSED');
      assertUncommonPassword(newPassword, user.email);
      const passwordHash = await hashPassword(newPassword, request.network);
      const changed = await renewPassword(request, reply, {
        sellerId,
        activity: 'password-changed',
        keepSession: sessionId,
        set: () => setPassword(db, user, passwordHash),
      });
      // Another request has changed the password since it was checked.
      if (!changed) throw new AppError('WRONG_PASSWORD');
      return reply.status(204).send(null);
    },
  );

  app.post(
    keepPasswordPath,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'keepPassword',
        tags: ['account'],
        summary: 'Keep an old password: the reminder comes again after the days in the settings',
        response: { 204: z.null(), ...errorReplies(401, 403) },
      },
    },
    async ({ caller: { sellerId } }, reply) => {
      await keepPassword(db, sellerId);
      return reply.status(204).send(null);
    },
  );
}
