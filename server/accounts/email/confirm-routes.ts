import { z } from 'zod';
import { confirmEmailSchema, paths } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { createSignInGuard } from '#server/accounts/sign-in/sign-in-guard.ts';
import { codeRequired } from '#server/accounts/two-factor/code-required.ts';
import { hasTwoFactor, refusedCode } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { consumeToken, findToken, revokeLinks } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { changeAddress, issueUndoLink } from '#shared/data/accounts/address-changes.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { undoLink } from './undo-link.ts';
import { updateStripeEmail } from './update-stripe-email.ts';

/** Confirms the link in the mail to an account's new address. */
export async function confirmEmailRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const guard = createSignInGuard(context);

  app.post(
    paths.confirmEmail,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'confirmEmail',
        tags: ['account'],
        summary: 'Move an account to its new address',
        description:
          'Takes the password of the account, and a code where two-factor sign-in is on: the link proves ' +
          'access to the mailbox, not to the account. After a wrong password the link still works.',
        body: confirmEmailSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password, code } = request.body;
      const { user, profile } = await findAccount(token);
      const attempt = await guard.admit(request, user.email, user);
      if (!(await attempt.password(user, password))) throw new AppError('WRONG_PASSWORD');
      if (hasTwoFactor(user, profile)) {
        if (code === undefined) throw codeRequired(user);
        if (!(await attempt.code(user, code))) throw refusedCode(context, user, code);
      }
      await attempt.succeed();

      const link = await consumeToken(db, 'change-email', token);
      if (!link?.email) throw new AppError('TOKEN_INVALID');
      const email = link.email;
      // Before the change, so that the old address is reserved before it becomes free.
      const undo = await issueUndoLink(db, user);
      // Fails if another account has taken the address meanwhile, or the password was changed.
      if (!(await changeAddress(db, user, email))) throw new AppError('TOKEN_INVALID');
      const at = new Date();
      // Links that were sent to the old address become invalid.
      await revokeLinks(db, user._id);
      // To the old address.
      await sendSecurityEmail(context, user, 'email-changed', {
        newEmail: email,
        at,
        undoLink: undoLink(context, undo.token),
        until: undo.until,
      });
      updateStripeEmail(context, profile, email);
      await recordActivity(db, user._id, 'email-changed', request.from);
      return reply.status(204).send(null);
    },
  );

  async function findAccount(token: string) {
    const link = await findToken(db, 'change-email', token);
    const [user, profile] = link
      ? await Promise.all([findUser(db, link.user_id), findActiveProfile(db, link.user_id)])
      : [];
    if (!user || !profile) throw new AppError('TOKEN_INVALID');
    return { user, profile };
  }
}
