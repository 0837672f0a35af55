import { z } from 'zod';
import { changeEmailSchema, limits, pages, paths } from '../../shared/contract/index.ts';
import { issueToken } from '../../shared/data/account-tokens.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { isReserved, issueUndo } from '../../shared/data/address-changes.ts';
import { Refusal } from '../../shared/errors.ts';
import { postMail } from '../../shared/outbox.ts';
import { hasTwoFactor } from '../../shared/two-factor.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { createRateLimit } from '../rate-limit.ts';
import type { Reauthentication } from '../reauthenticate.ts';
import { refusalReplies } from '../replies.ts';
import { mailWayBack, undoLink } from '../undo-mail.ts';

/** The wish to move to another address; `confirm-email.ts` does it, for who reads the mail to the new one. */
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
        description:
          'With a code where two-factor sign-in is on. The answer is the same whether or not the address has an account.',
        body: changeEmailSchema,
        response: { 202: z.object({}), ...refusalReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller;
      const { email, password, code } = request.body;
      const user = await reauthenticate.password(userId, password);
      if (email === user.email) {
        throw new Refusal('VALIDATION', { message: 'This is your address already.', field: 'email' });
      }
      const profile = await data.profiles.findById(userId).lean();
      if (!profile) throw new Refusal('UNAUTHENTICATED');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(user, code);
      await limitAsking(userId);
      const [taken, reserved] = await Promise.all([
        // Whoever signed up with it and never verified it has no claim to it.
        data.users.exists({ email, sign_up: null }),
        isReserved(data, email, userId),
      ]);
      const { full_name: fullName } = profile;
      // Made for a taken address as well, so that the answer takes as long; nobody gets to know it then.
      const lifeMs = limits.verificationHours * 3_600_000;
      const token = await issueToken(data, { kind: 'change-email', userId, email, lifeMs });
      const undo = await issueUndo(data, user, lifeMs);
      if (taken) await postMail(data, relay, 'newAddressTaken', email, undefined);
      else if (reserved) await mailWayBack(context, email);
      else {
        const link = `${config.linkUrl}${pages.confirmEmail}?token=${token}`;
        const hours = limits.verificationHours;
        await postMail(data, relay, 'confirmNewAddress', email, { fullName, newEmail: email, link, hours });
      }
      await postMail(data, relay, 'addressChangeAsked', user.email, {
        fullName,
        newEmail: email,
        undoLink: undoLink(context, undo.token),
      });
      await noteActivity(data, userId, 'email-change-asked', request.from);
      return reply.status(202).send({});
    },
  );
}
