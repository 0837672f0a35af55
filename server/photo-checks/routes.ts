import { z } from 'zod';
import { checkedPhotoSchema, checkPhotoSchema, paths, photoCheckLimits } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { errorReplies } from '#server/http/replies.ts';

/** What stands in the way of cutting out a product, before anything is made of its photo (docs/decisions/0105-what-cannot-be-cut-is-said.md). */
export async function photoCheckRoutes(app: App, { context }: { context: ServerContext }) {
  app.post(
    paths.photoChecks,
    {
      onRequest: [app.requireSession, app.limitSeller('photo-check')],
      // The JSON around the copy has few characters.
      bodyLimit: photoCheckLimits.characters + 1_024,
      schema: {
        operationId: 'checkPhoto',
        tags: ['generations'],
        summary: 'What stands in the way of cutting the product out of a photo',
        description:
          'Takes a small copy of the photo. Nothing is stored or counted. `checked` is `false` when the photo could not be ' +
          'looked at now; it can be submitted all the same.',
        body: checkPhotoSchema,
        response: { 200: checkedPhotoSchema, ...errorReplies(400, 401, 413, 415, 429) },
      },
    },
    async ({ caller: { sellerId }, body: { photo, ...questions } }, reply) => {
      const copy = Buffer.from(photo, 'base64');
      const disconnected = disconnectedOf(reply);
      const found = await context.photoChecker.check({ sellerId, disconnected }, copy, questions);
      const cutout = found?.cutout ?? null;
      return {
        checked: found !== null,
        warnings: found?.warnings ?? [],
        cutout: cutout && Buffer.from(cutout).toString('base64'),
      };
    },
  );

  app.post(
    paths.startPhotoChecks,
    {
      onRequest: [app.requireSession, app.limitSeller('photo-check')],
      schema: {
        operationId: 'startPhotoChecks',
        tags: ['generations'],
        summary: 'Prepare the server for a first photo',
        description: 'The first check then needs no more time than the next one. Nothing waits for it.',
        response: { 204: z.null(), ...errorReplies(401, 429) },
      },
    },
    async (_request, reply) => {
      context.photoChecker.warmUp();
      return reply.status(204).send(null);
    },
  );
}
