import { z } from 'zod';
import { changeEmailSchema, limits, pages, paths } from '#contract';
import { createMailLimit } from '#server/accounts/mail-limit.ts';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { isAddressReserved, issueUndoLink } from '#shared/data/accounts/address-changes.ts';
import { hasVerifiedUserWithEmail } from '#shared/data/accounts/users.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import { resendUndoLink, undoLink } from './undo-link.ts';

/** The request to change the address. The link in the mail to the new one confirms it (`confirm-routes.ts`). */
export async function emailRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db, relay, config } = context;
  const mayMail = createMailLimit(db);
  // Counted by seller, so that the limit does not tell whether others asked for the same address.
  const limitAsking = createRateLimit(db, {
    name: 'address_changes',
    points: limits.mailsAsked,
    seconds: limits.mailsWindowSeconds,
  });

  app.post(
    paths.email,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'requestEmailChange',
        tags: ['account'],
        summary: 'Ask to move to another address',
        description:
          'With a code where two-factor sign-in is on. The answer is the same whether or not the address has an account.',
        body: changeEmailSchema,
        response: { 202: z.object({}), ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const { email, password, code } = request.body;
      const user = await reauthenticate.password(request, password);
      if (email === user.email) {
        throw new AppError('VALIDATION', { message: 'This is your address already.', field: 'email' });
      }
      const profile = await findProfile(db, sellerId);
      if (!profile) throw new AppError('UNAUTHENTICATED');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(request, user, code);
      await limitAsking(sellerId);
      const [taken, reserved] = await Promise.all([
        // An unverified account has no claim to its address.
        hasVerifiedUserWithEmail(db, email),
        isAddressReserved(db, email, sellerId),
      ]);
      // Created for a taken address as well, so that the answer takes as long; it is not sent then.
      const lifeMs = limits.verificationHours * 3_600_000;
      const token = await issueToken(db, { kind: 'change-email', sellerId, email, lifeMs });
      const undo = await issueUndoLink(db, user, lifeMs);
      // The mailbox may be somebody else's. The answer does not tell whether it gets another mail.
      if (await mayMail('new-address', email, request.network)) {
        if (taken) await enqueueMail(db, relay, 'newAddressTaken', email, undefined);
        else if (reserved) await resendUndoLink(context, email);
        else {
          const link = `${config.linkUrl}${pages.confirmEmail}?token=${token}`;
          const hours = limits.verificationHours;
          const mail = { newEmail: email, link, hours };
          await enqueueMail(db, relay, 'confirmNewAddress', email, mail);
        }
      }
      await sendSecurityEmail(context, user, 'email-change-asked', {
        newEmail: email,
        undoLink: undoLink(context, undo.token),
      });
      await recordActivity(db, sellerId, 'email-change-asked', request.from);
      return reply.status(202).send({});
    },
  );
}
