import { z } from 'zod';
import { deleteAccountSchema, paths } from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { canUndoAddressChange } from '#shared/data/accounts/address-changes.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The deletion of an account. */
export async function deletionRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db, log } = context;

  app.post(
    paths.deletion,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'deleteAccount',
        tags: ['account'],
        summary: 'Delete the account with everything in it',
        description:
          'From the answer on nobody can sign in; the plan ends at once. What is kept about the seller is removed ' +
          'right after, and a mail says so. Refused while a change of the address can be undone.',
        body: deleteAccountSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const user = await reauthenticate.password(request, request.body.password);
      const profile = await findProfile(db, sellerId);
      if (!profile) throw new AppError('UNAUTHENTICATED');
      // A thief must not be able to prevent the undo by deleting the account.
      if (await canUndoAddressChange(db, user)) throw new AppError('DELETION_TOO_SOON');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(request, user, request.body.code);
      await beginDeletion(db, sellerId);
      await app.endSessions(sellerId);
      await app.signOut(request, reply);
      // Not awaited: Stripe and the storage may be slow. Upkeep continues what fails here.
      finishDeletion(context, sellerId).catch((error) => {
        log.error({ err: error, seller: sellerId }, 'a deletion was interrupted; upkeep will continue it');
      });
      return reply.status(204).send(null);
    },
  );
}
