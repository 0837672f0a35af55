import { z } from 'zod';
import { addressOnlySchema, limits, pages, paths, setPasswordSchema } from '../../shared/contract/index.ts';
import { findToken, issueToken, withToken } from '../../shared/data/account-tokens.ts';
import { resetPassword } from '../../shared/data/accounts.ts';
import type { ProfileRow } from '../../shared/data/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import { postMail } from '../../shared/outbox.ts';
import { hashPassword, requireUncommon } from '../../shared/passwords.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { inEvenTime } from '../even-time.ts';
import { createMailLimit } from '../mail-limit.ts';
import { createNewPassword } from '../new-password.ts';
import { refusalReplies } from '../replies.ts';
import { mailWayBack } from '../undo-mail.ts';

/** A new password for who has the mailbox: ask for a link, and set it. */
export async function passwordResetRoutes(app: App, { context }: { context: ServerContext }) {
  const { data, relay, config } = context;
  const mayMail = createMailLimit(data);
  const renewPassword = createNewPassword(app, context);

  app.post(
    paths.passwordReset,
    {
      onRequest: app.limitNetwork('mail-link'),
      schema: {
        summary: 'Ask for a link to set a new password',
        body: addressOnlySchema,
        response: { 202: z.object({}), ...refusalReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await inEvenTime(reply, async () => {
        if (!(await mayMail('reset', email))) return;
        const user = await data.users.findOne({ email }).lean();
        const profile = user && (await findOpen(user._id));
        if (profile) await mailLink(profile, email);
        else if (!user) await mailWayBack(context, email);
      });
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.confirmPasswordReset,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        summary: 'Set a new password by the link in the mail',
        body: setPasswordSchema,
        response: { 204: z.null(), ...refusalReplies(400, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      // Before the password is looked at: a link that is worth nothing costs no hash.
      const link = await findToken(data, 'reset-password', token);
      const account = link && (await data.users.findById(link.user_id).lean());
      if (!account) throw new Refusal('TOKEN_INVALID');
      requireUncommon(password, account.email);
      const passwordHash = await hashPassword(password, request.network);
      const owner = await withToken(data, 'reset-password', token, async ({ user_id: userId }) => {
        if (!(await findOpen(userId))) return null;
        return renewPassword(request, reply, {
          userId,
          activity: 'password-reset',
          set: () => resetPassword(data, userId, passwordHash),
        });
      });
      if (!owner) throw new Refusal('TOKEN_INVALID');
      return reply.status(204).send(null);
    },
  );

  async function findOpen(userId: string): Promise<ProfileRow | null> {
    return data.profiles.findOne({ _id: userId, deletion_asked_at: null }).lean();
  }

  async function mailLink(profile: ProfileRow, email: string): Promise<void> {
    const lifeMs = limits.resetMinutes * 60_000;
    const token = await issueToken(data, { kind: 'reset-password', userId: profile._id, lifeMs });
    await postMail(data, relay, 'resetPassword', email, {
      fullName: profile.full_name,
      link: `${config.linkUrl}${pages.resetPassword}?token=${token}`,
      minutes: limits.resetMinutes,
    });
  }
}
