import { z } from 'zod';
import { changePasswordSchema, paths } from '../../shared/contract/index.ts';
import { removeTokens } from '../../shared/data/account-tokens.ts';
import { setPassword } from '../../shared/data/accounts.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { Refusal } from '../../shared/errors.ts';
import { hashPassword, requireUncommon } from '../../shared/passwords.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import type { Reauthentication } from '../reauthenticate.ts';
import { refusalReplies } from '../replies.ts';
import { noticeChange } from '../security-notices.ts';

/** Change of the password by who knows the current one. */
export async function passwordRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { data } = context;

  app.post(
    paths.password,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Change the password; all other sessions end',
        body: changePasswordSchema,
        response: { 204: z.null(), ...refusalReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { userId, sessionId } = request.caller;
      const { password, newPassword } = request.body;
      const user = await reauthenticate.password(userId, password);
      if (newPassword === password) throw new Refusal('PASSWORD_REUSED');
      requireUncommon(newPassword);
      const at = new Date();
      // Another window may have been faster: then what was checked is no longer the password.
      if (!(await setPassword(data, user, await hashPassword(newPassword, request.network)))) {
        throw new Refusal('WRONG_PASSWORD');
      }
      // Nothing that somebody else has begun with the old one goes on: no session, no link in a mail.
      await app.endSessions(userId, { except: sessionId });
      await removeTokens(data, userId);
      await noteActivity(data, userId, 'password-changed', request.from);
      await noticeChange(context, user, 'passwordChanged', { at });
      return reply.status(204).send(null);
    },
  );
}
