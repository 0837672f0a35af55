import { z } from 'zod';
import { limits, pages, paths, tokenOnlySchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import { issueToken, redeemToken } from '#shared/data/accounts/account-tokens.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { markReachable } from '#shared/data/profiles/unreachable.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';

/** A seller whose mail came back says that the address works again; the link in a mail to it proves that. */
export async function reachableRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, relay, config } = context;
  const limitChecks = createRateLimit(db, {
    name: 'address_checks',
    points: 1,
    seconds: limits.unreachableTryHours * 3_600,
    message: () => 'We sent a link already. You can ask for another one tomorrow.',
  });

  app.post(
    paths.emailCheck,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'requestEmailCheck',
        tags: ['account'],
        summary: 'Send a link to an address whose mail came back',
        description: `Once in ${limits.unreachableTryHours} hours. While mail to the address does not come back, nothing is sent.`,
        response: { 202: z.object({}), ...errorReplies(401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const profile = await findActiveProfile(db, sellerId);
      if (!profile) throw new AppError('UNAUTHENTICATED');
      const { email, full_name: fullName, unreachable } = profile;
      if (unreachable?.address === email) {
        await limitChecks(`${sellerId} ${email}`);
        const hours = limits.verificationHours;
        const lifeMs = hours * 3_600_000;
        const token = await issueToken(db, { kind: 'confirm-reachable', sellerId, email, lifeMs });
        const link = `${config.linkUrl}${pages.confirmReachable}?token=${token}`;
        await enqueueMail(db, relay, 'confirmReachable', email, { fullName, link, hours });
      }
      return reply.status(202).send({});
    },
  );

  app.post(
    paths.confirmReachable,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'confirmReachable',
        tags: ['account'],
        summary: 'Confirm by the link in a mail that mail arrives again',
        description: 'Gives no access: it only lets mail be sent again.',
        body: tokenOnlySchema,
        response: { 204: z.null(), ...errorReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const done = await redeemToken(db, 'confirm-reachable', request.body.token, async (row) => {
        await markReachable(db, row.user_id, row.email ?? '');
        return true;
      });
      if (!done) throw new AppError('TOKEN_INVALID');
      return reply.status(204).send(null);
    },
  );
}
