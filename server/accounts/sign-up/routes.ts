import { z } from 'zod';
import { addressOnlySchema, limits, pages, paths, signUpSchema } from '#contract';
import { resendUndoLink } from '#server/accounts/email/undo-link.ts';
import { expectedFreeImages } from '#server/accounts/free-images/free-images.ts';
import { createMailLimit } from '#server/accounts/mail-limit.ts';
import { withPaddedResponseTime } from '#server/accounts/pad-response-time.ts';
import { assertUncommonPassword, hashPassword } from '#server/accounts/passwords/passwords.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { failWith } from '#server/http/errors.ts';
import { errorReplies } from '#server/http/replies.ts';
import { issueToken } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { isAddressReserved } from '#shared/data/accounts/address-changes.ts';
import { createAccount, type NewAccount, replaceUnverified } from '#shared/data/accounts/create.ts';
import { findUserByEmail, hasUserWithEmail } from '#shared/data/accounts/users.ts';
import { findActiveProfile, findProfile } from '#shared/data/profiles/find.ts';
import { greetingName } from '#shared/mail/greeting-name.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { createSignUpCookie } from './sign-up-cookie.ts';

/** Sign-up and its verification mail. Answer and response time are the same for every address. */
export async function signUpRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const mayMail = createMailLimit(db);
  const signUpCookie = createSignUpCookie(context);

  app.post(
    paths.accounts,
    {
      onRequest: app.limitNetwork('sign-up'),
      schema: {
        operationId: 'signUp',
        tags: ['account'],
        summary: 'Sign up',
        body: signUpSchema,
        response: { 202: z.object({}), ...errorReplies(400, 403, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const { email, fullName, password, plan, theme } = request.body;
      assertUncommonPassword(password, email);
      await withPaddedResponseTime(reply, async () => {
        const passwordHash = await hashPassword(password, request.network);
        const account = { email, fullName, passwordHash, plan, theme, signUp: signUpCookie.set(reply) };
        if (await mayMail('verification', email, request.network))
          await signUp(context, account, request.from);
      }).catch(failWith('SIGN_UP_FAILED'));
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.verification,
    {
      onRequest: app.limitNetwork('mail-link'),
      schema: {
        operationId: 'sendVerification',
        tags: ['account'],
        summary: 'Send the verification link again',
        body: addressOnlySchema,
        response: { 202: z.object({}), ...errorReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await withPaddedResponseTime(reply, async () => {
        if (!(await mayMail('verification', email, request.network))) return;
        const user = await findUserByEmail(db, email);
        // The link belongs to the browser that signed up, no matter which one requests it.
        if (user?.sign_up) await mailVerification(context, user._id, user.sign_up);
      });
      return reply.status(202).send({});
    },
  );
}

/** Creates the account, replaces an unverified one, or tells the owner of the address. */
async function signUp(
  context: ServerContext,
  account: NewAccount & { signUp: string },
  from: Origin,
): Promise<void> {
  const { db } = context;
  // In this order: a change of address reserves the old one before it leaves it.
  const known = (await hasUserWithEmail(db, account.email)) || (await isAddressReserved(db, account.email));
  const failed = failWith('ACCOUNT_NOT_CREATED');
  const created = known ? null : await createAccount(db, account).catch(failed);
  // A concurrent sign-up may have created the account first; then this one replaces it.
  const sellerId = created?.user._id ?? (await replaceUnverified(db, account).catch(failed));
  if (sellerId === null) {
    await mailOwner(context, account.email);
    return;
  }
  await mailVerification(context, sellerId, account.signUp);
  await recordActivity(db, sellerId, 'signed-up', from);
}

async function mailVerification(context: ServerContext, sellerId: string, signUpHash: string): Promise<void> {
  const { db, relay, config } = context;
  const profile = await findProfile(db, sellerId);
  if (!profile) return;
  const token = await issueToken(db, {
    kind: 'verify-email',
    sellerId,
    browser: signUpHash,
    lifeMs: limits.verificationHours * 3_600_000,
  });
  await enqueueMail(db, relay, 'verifyAddress', profile.email, {
    link: `${config.linkUrl}${pages.verifyEmail}?token=${token}`,
    hours: limits.verificationHours,
    days: limits.unverifiedDays,
    freeImages: await expectedFreeImages(context, profile.email),
  });
}

/** Tells the owner of an address that somebody signed up with it, perhaps themselves. */
async function mailOwner(context: ServerContext, email: string): Promise<void> {
  const { db, relay, config } = context;
  const user = await findUserByEmail(db, email);
  if (!user) return resendUndoLink(context, email);
  const profile = await findActiveProfile(db, user._id);
  if (!profile) return;
  await enqueueMail(db, relay, 'addressTaken', email, {
    fullName: greetingName(profile),
    signInLink: config.linkUrl + pages.login,
    resetLink: config.linkUrl + pages.forgotPassword,
  });
}
