import { z } from 'zod';
import { addressOnlySchema, limits, pages, paths, setPasswordSchema } from '#contract';
import { resendUndoLink } from '#server/accounts/email/undo-link.ts';
import { createMailLimit } from '#server/accounts/mail-limit.ts';
import { withPaddedResponseTime } from '#server/accounts/pad-response-time.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import { twoFactorRemoved } from '#server/accounts/two-factor/two-factor-removed.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findToken, issueToken, redeemToken } from '#shared/data/accounts/account-tokens.ts';
import { resetPassword, youngFactorsSince } from '#shared/data/accounts/sign-in.ts';
import { hasFactorFrom } from '#shared/data/accounts/two-factor.ts';
import { findUser, findUserByEmail, type UserRow } from '#shared/data/accounts/users.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { greetingName } from '#shared/mail/greeting-name.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createPasswordChange } from './change-password.ts';
import { assertUncommonPassword, hashPassword } from './passwords.ts';

/** Password reset: a link by mail, and the new password. */
export async function passwordResetRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, relay, config } = context;
  const mayMail = createMailLimit(db);
  const renewPassword = createPasswordChange(app, context);

  app.post(
    paths.passwordReset,
    {
      onRequest: app.limitNetwork('mail-link'),
      schema: {
        operationId: 'requestPasswordReset',
        tags: ['account'],
        summary: 'Ask for a link to set a new password',
        body: addressOnlySchema,
        response: { 202: z.object({}), ...errorReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await withPaddedResponseTime(reply, async () => {
        if (!(await mayMail('reset', email, request.network))) return;
        const user = await findUserByEmail(db, email);
        const profile = user && (await findActiveProfile(db, user._id));
        if (profile) await mailLink(user, profile);
        else if (!user) await resendUndoLink(context, email);
      });
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.confirmPasswordReset,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'confirmPasswordReset',
        tags: ['account'],
        summary: 'Set a new password by the link in the mail',
        body: setPasswordSchema,
        response: { 204: z.null(), ...errorReplies(400, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      // Before the password is hashed, so that an invalid link costs no hash.
      const link = await findToken(db, 'reset-password', token);
      const account = link && (await findUser(db, link.user_id));
      if (!account) throw new AppError('TOKEN_INVALID');
      assertUncommonPassword(password, account.email);
      const passwordHash = await hashPassword(password, request.network);
      let factorsRemoved = false;
      const owner = await redeemToken(db, 'reset-password', token, async ({ user_id: sellerId }) => {
        if (!(await findActiveProfile(db, sellerId))) return null;
        return renewPassword(request, reply, {
          sellerId,
          activity: 'password-reset',
          async set() {
            const done = await resetPassword(db, sellerId, passwordHash);
            factorsRemoved = done?.factorsRemoved ?? false;
            return done?.user ?? null;
          },
        });
      });
      if (!owner) throw new AppError('TOKEN_INVALID');
      if (factorsRemoved) await twoFactorRemoved(context, owner, 'reset', request.from);
      return reply.status(204).send(null);
    },
  );

  async function mailLink(user: UserRow, profile: ProfileRow): Promise<void> {
    const lifeMs = limits.resetMinutes * 60_000;
    const token = await issueToken(db, { kind: 'reset-password', sellerId: profile._id, lifeMs });
    const isYoung = hasTwoFactor(user, profile) && hasFactorFrom(user, youngFactorsSince());
    await enqueueMail(db, relay, 'resetPassword', user.email, {
      fullName: greetingName(profile),
      link: `${config.linkUrl}${pages.resetPassword}?token=${token}`,
      minutes: limits.resetMinutes,
      youngFactorDays: isYoung ? limits.youngFactorDays : undefined,
    });
  }
}
