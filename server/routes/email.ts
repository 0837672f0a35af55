import { z } from 'zod';
import { changeEmailSchema, limits, pages, paths, tokenOnlySchema } from '../../shared/contract/index.ts';
import { issueToken, removeTokens, takeToken } from '../../shared/data/account-tokens.ts';
import { removeUnverified } from '../../shared/data/accounts.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { isDuplicateKey } from '../../shared/data/connect.ts';
import { Refusal } from '../../shared/errors.ts';
import { postMail } from '../../shared/outbox.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { createRateLimit } from '../rate-limit.ts';
import type { Reauthentication } from '../reauthenticate.ts';
import { refusalReplies } from '../replies.ts';

/** Change of the address: asked for by the seller, done by who reads the mail to the new address. */
export async function emailRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { data, relay, config } = context;
  // By seller: an address is not told apart by how often it was asked for.
  const limitAsking = createRateLimit(data, {
    name: 'address_changes',
    points: limits.mailsAsked,
    seconds: limits.mailsWindowSeconds,
  });

  app.post(
    paths.email,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Ask to move to another address',
        description: 'The answer is the same whether or not the address has an account.',
        body: changeEmailSchema,
        response: { 202: z.object({}), ...refusalReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller;
      const { email, password } = request.body;
      const user = await reauthenticate.password(userId, password);
      if (email === user.email) {
        throw new Refusal('VALIDATION', { message: 'This is your address already.', field: 'email' });
      }
      await limitAsking(userId);
      const [profile, taken] = await Promise.all([
        data.profiles.findById(userId).lean(),
        // Whoever signed up with it and never verified it has no claim to it.
        data.users.exists({ email, sign_up: null }),
      ]);
      if (!profile) throw new Refusal('UNAUTHENTICATED');
      const { full_name: fullName } = profile;
      // Made for a taken address as well, so that the answer takes as long; nobody gets to know it then.
      const token = await issueToken(data, {
        kind: 'change-email',
        userId,
        email,
        lifeMs: limits.verificationHours * 3_600_000,
      });
      if (taken) await postMail(data, relay, 'newAddressTaken', email, undefined);
      else {
        const link = `${config.linkUrl}${pages.confirmEmail}?token=${token}`;
        const hours = limits.verificationHours;
        await postMail(data, relay, 'confirmNewAddress', email, { fullName, newEmail: email, link, hours });
      }
      await postMail(data, relay, 'addressChangeAsked', user.email, { fullName, newEmail: email });
      await noteActivity(data, userId, 'email-change-asked', request.from);
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.confirmEmail,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        summary: 'Move an account to its new address',
        body: tokenOnlySchema,
        response: { 204: z.null(), ...refusalReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const token = await takeToken(data, 'change-email', request.body.token);
      if (!token?.email) throw new Refusal('TOKEN_INVALID');
      const { user_id: userId, email } = token;
      // The link was opened, so the address is this seller's and nobody's who never opened theirs.
      await removeUnverified(data, email);
      const before = await data.users
        .findOneAndUpdate({ _id: userId }, { $set: { email } }, { returnDocument: 'before' })
        .lean()
        .catch((error) => {
          // The address has got an account meanwhile.
          if (isDuplicateKey(error)) throw new Refusal('TOKEN_INVALID');
          throw error;
        });
      if (!before) throw new Refusal('TOKEN_INVALID');
      const at = new Date();
      const profile = await data.profiles
        .findByIdAndUpdate(userId, { $set: { email, updated_at: at } }, { returnDocument: 'after' })
        .lean();
      // Links that the old mailbox has got lead nowhere from now on.
      await removeTokens(data, userId);
      if (profile) {
        const { full_name: fullName } = profile;
        await postMail(data, relay, 'addressChanged', before.email, { fullName, newEmail: email, at });
        if (profile.stripe_customer_id) tellStripe(profile.stripe_customer_id, email);
      }
      await noteActivity(data, userId, 'email-changed', request.from);
      return reply.status(204).send(null);
    },
  );

  /** Receipts go to the new address as well. Not awaited: the move does not depend on Stripe. */
  function tellStripe(customer: string, email: string): void {
    context.billing.stripe.customers.update(customer, { email }).catch((error) => {
      context.log.warn({ err: error, customer }, 'Stripe was not told of a new address');
    });
  }
}
