import { z } from 'zod';
import { paths, tokenOnlySchema } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { redeemToken } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { setLocked } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { createLockOut } from './lock-out.ts';

/** Confirms the link in the mail about a locked account. */
export async function unlockRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const lockOut = createLockOut(db);
  const devices = createDeviceCookie(context);

  app.post(
    paths.unlock,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'unlockAccount',
        tags: ['account'],
        summary: 'Unlock a locked account by the link in the mail',
        body: tokenOnlySchema,
        response: { 204: z.null(), ...errorReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const owner = await redeemToken(db, 'unlock', request.body.token, async (row) => {
        const user = await findUser(db, row.user_id);
        if (!user) return null;
        const device = await devices.known(request, user._id);
        await lockOut.unlock({ email: user.email, network: request.network, device }, row.lock);
        // Failures elsewhere lock this browser out neither now nor later, so their counts stay.
        await devices.remember(request, reply, user._id);
        if (!(await lockOut.isLocked(user.email))) await setLocked(db, user._id, false);
        return user;
      });
      if (!owner) throw new AppError('TOKEN_INVALID');
      await recordActivity(db, owner._id, 'unlocked', request.from);
      await sendSecurityEmail(context, owner, 'unlocked', {
        change: 'unlocked',
        at: new Date(),
        ...request.from,
      });
      return reply.status(204).send(null);
    },
  );
}
