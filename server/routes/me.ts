import { changeNameSchema, type Me, meSchema, paths } from '../../shared/contract/index.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { findSettings } from '../../shared/data/settings.ts';
import { Refusal } from '../../shared/errors.ts';
import { presentMe } from '../../shared/present.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { refusalReplies } from '../replies.ts';

/** The signed-in seller with plan, balance and settings; the name can be changed here. */
export async function meRoutes(app: App, { context }: { context: ServerContext }) {
  const { data, config } = context;

  async function me(userId: string): Promise<Me> {
    const [profile, settings] = await Promise.all([
      data.profiles.findById(userId).lean(),
      findSettings(data, userId),
    ]);
    if (!profile || !settings || profile.deletion_asked_at) throw new Refusal('UNAUTHENTICATED');
    return presentMe(profile, settings, config.image.provider);
  }

  app.get(
    paths.me,
    {
      onRequest: app.requireSession,
      schema: { summary: 'Who is signed in', response: { 200: meSchema, ...refusalReplies(401) } },
    },
    (request) => me(request.caller.userId),
  );

  app.patch(
    paths.me,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Change the name',
        body: changeNameSchema,
        response: { 200: meSchema, ...refusalReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { userId } = request.caller;
      const { fullName } = request.body;
      await data.profiles.updateOne(
        { _id: userId, deletion_asked_at: null },
        { $set: { full_name: fullName, updated_at: new Date() } },
      );
      await noteActivity(data, userId, 'name-changed', request.from);
      return me(userId);
    },
  );
}
