import { z } from 'zod';
import { generationSetSchema, limits, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { remake } from './remake.ts';

/** Making an image again at no charge. */
export async function remakeRoutes(app: App, { context }: { context: ServerContext }) {
  app.post(
    paths.remake(':id'),
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      schema: {
        summary: 'Make an image again at no charge',
        description:
          'Possible once for an image whose product match is low (`remake` of the view is `offered`), and ' +
          `${limits.remakesAMonth} times in a calendar month (UTC). The new generation has the same photos, description ` +
          'and options, and the next seed. It uses no image and is cancelled for free at any time. A repeated request ' +
          'gets the first answer again.',
        params: z.object({ id: z.string() }),
        response: { 202: generationSetSchema, ...errorReplies(401, 404, 409, 410, 429, 503) },
      },
    },
    async (request, reply) => {
      const accepted = await remake(context, request.caller.sellerId, request.params.id, request.network);
      const generations = accepted.map(({ view }) => view);
      return reply.status(202).send({ generations });
    },
  );
}
