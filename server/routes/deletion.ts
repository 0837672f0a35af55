import { z } from 'zod';
import { deleteAccountSchema, paths } from '../../shared/contract/index.ts';
import { canBeUndone } from '../../shared/data/address-changes.ts';
import { beginDeletion, finishDeletion } from '../../shared/deletion.ts';
import { Refusal } from '../../shared/errors.ts';
import { hasTwoFactor } from '../../shared/two-factor.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import type { Reauthentication } from '../reauthenticate.ts';
import { refusalReplies } from '../replies.ts';

/** The end of an account. */
export async function deletionRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { data, log } = context;

  app.post(
    paths.deletion,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Delete the account with everything in it',
        description:
          'From the answer on nobody can sign in; the plan ends at once. What is kept about the seller is removed ' +
          'right after, and a mail says so. Refused while a change of the address can be undone.',
        body: deleteAccountSchema,
        response: { 204: z.null(), ...refusalReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller;
      const user = await reauthenticate.password(userId, request.body.password);
      const profile = await data.profiles.findById(userId).lean();
      if (!profile) throw new Refusal('UNAUTHENTICATED');
      // Nobody could undo the change any more, whoever made it.
      if (await canBeUndone(data, user)) throw new Refusal('DELETION_TOO_SOON');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(user, request.body.code);
      await beginDeletion(data, userId);
      await app.endSessions(userId);
      await app.signOut(request, reply);
      // Stripe and the storage take their time; what breaks off here the workers' upkeep does.
      finishDeletion(context, userId).catch((error) => {
        log.error({ err: error, seller: userId }, 'a deletion is not finished; upkeep will');
      });
      return reply.status(204).send(null);
    },
  );
}
