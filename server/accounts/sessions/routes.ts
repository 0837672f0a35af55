import { z } from 'zod';
import { paths, sessionListSchema } from '#contract';
import { presentSession } from '#server/accounts/present.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { isSessionOf, listSessions } from '#shared/data/accounts/sessions.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The seller's open sessions, and how to end them. */
export async function openSessionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  async function tell(
    sellerId: string,
    change: 'signed-out-everywhere' | 'session-ended',
    from: Origin,
  ): Promise<void> {
    const user = await findUser(db, sellerId);
    if (user) await sendSecurityEmail(context, user, change, { change, at: new Date(), ...from });
  }

  app.get(
    paths.sessions,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listSessions',
        tags: ['account'],
        summary: "The seller's open sessions, most recently used first",
        response: { 200: sessionListSchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      const rows = await listSessions(db, sellerId);
      return { sessions: rows.map((row) => presentSession(row, sessionId)) };
    },
  );

  app.delete(
    paths.sessions,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'endAllSessions',
        tags: ['account'],
        summary: 'Sign out everywhere, here as well',
        response: { 204: z.null(), ...errorReplies(401, 403) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      await app.endSessions(sellerId);
      await app.signOut(request, reply);
      await recordActivity(db, sellerId, 'signed-out-everywhere', request.from);
      await tell(sellerId, 'signed-out-everywhere', request.from);
      return reply.status(204).send(null);
    },
  );

  app.delete(
    paths.oneSession(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'endSession',
        tags: ['account'],
        summary: "End one of the seller's sessions",
        params: z.object({ id: z.string() }),
        response: { 204: z.null(), ...errorReplies(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      const { id } = request.params;
      // The answer for another seller's session is the same as for none.
      if (!(await isSessionOf(db, id, sellerId))) throw new AppError('NOT_FOUND');
      if (id === sessionId) await app.signOut(request, reply);
      else await app.endSession(id);
      await recordActivity(db, sellerId, 'signed-out', request.from);
      if (id !== sessionId) await tell(sellerId, 'session-ended', request.from);
      return reply.status(204).send(null);
    },
  );
}
