import { z } from 'zod';
import { changeRequestSchema, generationSetSchema, limits, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { idempotencyKeyOf } from '../idempotency.ts';
import { change } from './change.ts';
import { parseChangeBodies } from './change-body.ts';

/** Room for the instruction and for the JSON around it, in bytes. */
const besidesMask = 64 * 1024;

/** Changing a finished image: a plugin of its own, because its bodies are parsed in their own way. */
export async function changeRoutes(app: App, { context }: { context: ServerContext }) {
  parseChangeBodies(app);
  app.post(
    paths.changes(':id'),
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      bodyLimit: limits.maskCharacters + besidesMask,
      schema: {
        summary: 'Change something in a finished image',
        description:
          'Makes a new generation from the finished image and the photos of its generation; it uses one image. Its ' +
          '`parentId` is the changed one, and `GET /api/generations?root=<rootId>` lists all versions. With `marks` only ' +
          'what they cover changes: strokes of a brush, which are lines through points with round ends, and rectangles, ' +
          `in pixels of the image from its top left, with at most ${limits.markPoints.toLocaleString('en-US')} points in ` +
          'all. With a `mask` in their place (a PNG with an alpha channel, of the size of the image, as base64) only what ' +
          'is transparent in it changes. Both are part of the Enterprise plan. With an `Idempotency-Key` header the ' +
          'request is idempotent.',
        params: z.object({ id: z.string() }),
        body: changeRequestSchema,
        response: {
          202: generationSetSchema,
          ...errorReplies(400, 401, 402, 403, 404, 409, 410, 413, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const accepted = await change(context, {
        sellerId: request.caller.sellerId,
        id: request.params.id,
        idempotencyKey: idempotencyKeyOf(request.headers['idempotency-key']),
        network: request.network,
        request: request.body,
      });
      const generations = accepted.map(({ view }) => view);
      return reply.status(202).send({ generations });
    },
  );
}
