import { z } from 'zod';
import { addressOnlySchema, limits, pages, paths, signUpSchema } from '../../shared/contract/index.ts';
import { issueToken } from '../../shared/data/account-tokens.ts';
import { createAccount, type NewAccount, replaceUnverified } from '../../shared/data/accounts.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { isReserved } from '../../shared/data/address-changes.ts';
import { postMail } from '../../shared/outbox.ts';
import { hashPassword, requireUncommon } from '../../shared/passwords.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import type { Origin } from '../device.ts';
import { inEvenTime } from '../even-time.ts';
import { createMailLimit } from '../mail-limit.ts';
import { refusalReplies } from '../replies.ts';
import { createSignUpCookie } from '../sign-up-cookie.ts';
import { mailWayBack } from '../undo-mail.ts';

/** Sign-up, and its mail once more. What is answered, and when, is the same for every address. */
export async function signUpRoutes(app: App, { context }: { context: ServerContext }) {
  const { data } = context;
  const mayMail = createMailLimit(data);
  const signUpCookie = createSignUpCookie(context);

  app.post(
    paths.accounts,
    {
      onRequest: app.limitNetwork('sign-up'),
      schema: {
        summary: 'Sign up',
        body: signUpSchema,
        response: { 202: z.object({}), ...refusalReplies(400, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { email, fullName, password, plan } = request.body;
      requireUncommon(password, email);
      await inEvenTime(reply, async () => {
        const passwordHash = await hashPassword(password, request.network);
        const account = { email, fullName, passwordHash, plan, signUp: signUpCookie.set(reply) };
        if (await mayMail('verification', email)) await signUp(context, account, request.from);
      });
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.verification,
    {
      onRequest: app.limitNetwork('mail-link'),
      schema: {
        summary: 'Send the verification link again',
        body: addressOnlySchema,
        response: { 202: z.object({}), ...refusalReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await inEvenTime(reply, async () => {
        if (!(await mayMail('verification', email))) return;
        const user = await data.users.findOne({ email }).lean();
        // The link fits the browser that signed up, whoever asks for it.
        if (user?.sign_up) await mailVerification(context, user._id, user.sign_up);
      });
      return reply.status(202).send({});
    },
  );
}

/** Makes the account, or replaces one whose address nobody has verified, or tells the owner of the address. */
async function signUp(
  context: ServerContext,
  account: NewAccount & { signUp: string },
  from: Origin,
): Promise<void> {
  const { data } = context;
  // In this order: an address is reserved before its account leaves it.
  const known =
    (await data.users.exists({ email: account.email })) !== null || (await isReserved(data, account.email));
  const created = known ? null : await createAccount(data, account);
  // Somebody else may have been first by a moment: then this is one more sign-up for a known address.
  const userId = created?.user._id ?? (await replaceUnverified(data, account));
  if (userId === null) {
    await mailOwner(context, account.email);
    return;
  }
  await mailVerification(context, userId, account.signUp);
  await noteActivity(data, userId, 'signed-up', from);
}

async function mailVerification(
  { data, relay, config }: ServerContext,
  userId: string,
  signUpHash: string,
): Promise<void> {
  const profile = await data.profiles.findById(userId).lean();
  if (!profile) return;
  const token = await issueToken(data, {
    kind: 'verify-email',
    userId,
    browser: signUpHash,
    lifeMs: limits.verificationHours * 3_600_000,
  });
  await postMail(data, relay, 'verifyAddress', profile.email, {
    fullName: profile.full_name,
    link: `${config.linkUrl}${pages.verifyEmail}?token=${token}`,
    hours: limits.verificationHours,
    days: limits.unverifiedDays,
  });
}

/** Tells whoever has an account that somebody, perhaps they, signed up with its address. */
async function mailOwner(context: ServerContext, email: string): Promise<void> {
  const { data, relay, config } = context;
  const user = await data.users.findOne({ email }).lean();
  if (!user) return mailWayBack(context, email);
  const profile = await data.profiles.findById(user._id).lean();
  if (!profile || profile.deletion_asked_at) return;
  await postMail(data, relay, 'addressTaken', email, {
    fullName: profile.full_name,
    signInLink: config.linkUrl + pages.login,
    resetLink: config.linkUrl + pages.forgotPassword,
  });
}
