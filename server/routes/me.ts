import { meSchema, paths } from '../../shared/contract/index.ts';
import { Refusal } from '../../shared/errors.ts';
import { presentMe } from '../../shared/present.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { refusalReplies } from '../replies.ts';

/** The signed-in seller with plan and balance. */
export async function meRoutes(app: App, { context }: { context: ServerContext }) {
  app.get(
    paths.me,
    {
      onRequest: app.requireSession,
      schema: { summary: 'Who is signed in', response: { 200: meSchema, ...refusalReplies(401) } },
    },
    async (request) => {
      const profile = await context.data.profiles.findById(request.caller.userId).lean();
      if (!profile) throw new Refusal('UNAUTHENTICATED');
      return presentMe(profile, context.config.image.provider);
    },
  );
}
