import { z } from 'zod';
import { limits, pages, paths, tokenOnlySchema } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { keepTwoFactor } from '#shared/accounts/remove-two-factor.ts';
import { issueToken, redeemToken } from '#shared/data/accounts/account-tokens.ts';
import { askTwoFactorRemoval as askRemoval } from '#shared/data/accounts/two-factor-removal.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Has two-factor sign-in removed after `limits.factorRemovalHours`, for a seller who has shown an operator who they are. The
 * mail about it has a link that stops it.
 * @throws AppError TWO_FACTOR_OFF; NOT_REPEATABLE if a removal waits already
 */
export async function askTwoFactorRemoval(context: ServerContext, sellerId: string): Promise<void> {
  const { db, config } = context;
  const user = await askRemoval(db, sellerId);
  const dueAt = user?.two_factor_removal?.due_at;
  if (!user || !dueAt) {
    const isOn = Boolean((await findUser(db, sellerId))?.two_factor);
    throw new AppError(isOn ? 'NOT_REPEATABLE' : 'TWO_FACTOR_OFF');
  }
  const lifeMs = limits.factorRemovalHours * 3_600_000;
  const token = await issueToken(db, { kind: 'keep-two-factor', sellerId, lifeMs });
  await sendSecurityEmail(context, user, 'two-factor-removal-asked', {
    dueAt,
    keepLink: `${config.linkUrl}${pages.keepTwoFactor}?token=${token}`,
  });
}

/** Confirms the link in that mail. */
export async function keepTwoFactorRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.post(
    paths.keepTwoFactor,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'keepTwoFactor',
        tags: ['account'],
        summary: 'Keep two-factor sign-in that an operator is to remove, by the link in the mail',
        body: tokenOnlySchema,
        response: { 204: z.null(), ...errorReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const kept = await redeemToken(db, 'keep-two-factor', request.body.token, (row) =>
        keepTwoFactor(db, row.user_id, 'by the link in the mail'),
      );
      if (!kept) throw new AppError('TOKEN_INVALID');
      return reply.status(204).send(null);
    },
  );
}
