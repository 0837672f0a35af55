import { changeNameSchema, type Me, meSchema, paths } from '#contract';
import { presentMe } from '#server/accounts/present.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { countUnread } from '#shared/data/notifications.ts';
import { changeName, findActiveProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The signed-in seller with plan, balance and settings, and the change of the name. */
export async function meRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, config } = context;

  async function me(sellerId: string): Promise<Me> {
    const [profile, user, settings, unread] = await Promise.all([
      findActiveProfile(db, sellerId),
      findUser(db, sellerId),
      findSettings(db, sellerId),
      countUnread(db, sellerId),
    ]);
    if (!profile || !settings) throw new AppError('UNAUTHENTICATED');
    return presentMe(profile, user, settings, unread, config);
  }

  app.get(
    paths.me,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'getMe',
        tags: ['account'],
        summary: 'Who is signed in',
        response: { 200: meSchema, ...errorReplies(401) },
      },
    },
    (request) => me(request.caller.sellerId),
  );

  app.patch(
    paths.me,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'changeName',
        tags: ['account'],
        summary: 'Change the name',
        body: changeNameSchema,
        response: { 200: meSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { fullName } = request.body;
      await changeName(db, sellerId, fullName);
      await recordActivity(db, sellerId, 'name-changed', request.from);
      return me(sellerId);
    },
  );
}
