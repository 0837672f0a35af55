import { z } from 'zod';
import { paths, setPasswordSchema } from '#contract';
import { createPasswordChange } from '#server/accounts/passwords/change-password.ts';
import { assertUncommonPassword, hashPassword } from '#server/accounts/passwords/passwords.ts';
import { twoFactorRemoved } from '#server/accounts/two-factor/two-factor-removed.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findToken } from '#shared/data/accounts/account-tokens.ts';
import { undoAddressChange } from '#shared/data/accounts/address-changes.ts';
import { countFactors } from '#shared/data/accounts/two-factor.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import { updateStripeEmail } from './update-stripe-email.ts';

/** Confirms the link "This wasn't me" in the mails about a change of the address. */
export async function undoEmailRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, relay } = context;
  const renewPassword = createPasswordChange(app, context);

  app.post(
    paths.undoEmail,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'undoEmailChange',
        tags: ['account'],
        summary: 'Bring an account back to its old address, with a new password',
        description:
          'A new password is required, because a thief who changed the address knows the old one. A change ' +
          'that is only asked for is stopped in the same way.',
        body: setPasswordSchema,
        response: { 204: z.null(), ...errorReplies(400, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      const link = await findToken(db, 'undo-email', token);
      if (!link?.email) throw new AppError('TOKEN_INVALID');
      assertUncommonPassword(password, link.email);
      const passwordHash = await hashPassword(password, request.network);
      let movedTo: string | undefined;
      let factorsBefore = 0;
      const owner = await renewPassword(request, reply, {
        sellerId: link.user_id,
        activity: 'email-change-undone',
        async set() {
          const before = await undoAddressChange(db, link, passwordHash);
          movedTo = before?.email;
          factorsBefore = before ? countFactors(before) : 0;
          return before && findUser(db, link.user_id);
        },
      });
      if (!owner) throw new AppError('TOKEN_INVALID');
      if (countFactors(owner) < factorsBefore) await twoFactorRemoved(context, owner, 'undo', request.from);
      const profile = await findProfile(db, owner._id);
      if (profile && movedTo !== undefined && movedTo !== owner.email) {
        await enqueueMail(db, relay, 'addressChangeUndone', movedTo, {
          fullName: profile.full_name,
          oldEmail: owner.email,
          at: owner.password_changed_at,
        });
        updateStripeEmail(context, profile, owner.email);
      }
      return reply.status(204).send(null);
    },
  );
}
