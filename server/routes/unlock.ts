import { z } from 'zod';
import { paths, tokenOnlySchema } from '../../shared/contract/index.ts';
import { withToken } from '../../shared/data/account-tokens.ts';
import { setLocked } from '../../shared/data/accounts.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { Refusal } from '../../shared/errors.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { createDeviceCookie } from '../device-cookie.ts';
import { createLockOut } from '../lock-out.ts';
import { refusalReplies } from '../replies.ts';

/** What the link in the mail about a locked account leads to. */
export async function unlockRoutes(app: App, { context }: { context: ServerContext }) {
  const { data } = context;
  const lockOut = createLockOut(data);
  const devices = createDeviceCookie(context);

  app.post(
    paths.unlock,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        summary: 'Unlock a locked account by the link in the mail',
        body: tokenOnlySchema,
        response: { 204: z.null(), ...refusalReplies(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const userId = await withToken(data, 'unlock', request.body.token, async (row) => {
        const user = await data.users.findById(row.user_id).lean();
        if (!user) return null;
        const device = await devices.known(request, user._id);
        await lockOut.clear({ email: user.email, network: request.network, device }, row.lock);
        // Whoever goes on trying locks this browser out no more.
        await devices.remember(request, reply, user._id);
        await setLocked(data, user._id, false);
        return user._id;
      });
      if (!userId) throw new Refusal('TOKEN_INVALID');
      await noteActivity(data, userId, 'unlocked', request.from);
      return reply.status(204).send(null);
    },
  );
}
