import { z } from 'zod';
import { changeRequestSchema, generationSetSchema, limits, paths, tooManyPoints } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { idempotencyHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeImage, remake } from './again.ts';
import { idempotencyKeyOf } from './idempotency.ts';

/** Room for the instruction and for the JSON around it, in bytes. */
const besidesMask = 64 * 1024;

/** Values of a request with the most marks, each of which is a dot. */
const valuesMost = limits.markPoints * 8;

/** How large the body of a change may be. */
export const changeBodyLimits = {
  bodyLimit: limits.maskCharacters + besidesMask,
  config: {
    jsonValues: {
      most: valuesMost,
      tooMany: () => new AppError('VALIDATION', { message: tooManyPoints, field: 'marks' }),
    },
  },
};

/** New images from finished ones: changes, and re-makes at no charge. */
export async function againRoutes(app: App, { context }: { context: ServerContext }) {
  app.post(
    paths.changes(':id'),
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      ...changeBodyLimits,
      schema: {
        operationId: 'changeImage',
        tags: ['generations'],
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
        requestHeaders: idempotencyHeaders,
        body: changeRequestSchema,
        response: {
          202: generationSetSchema,
          ...errorReplies(400, 401, 402, 403, 404, 409, 410, 413, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { accepted } = await changeImage(context, {
        sellerId: request.caller.sellerId,
        id: request.params.id,
        idempotencyKey: idempotencyKeyOf(request.headers['idempotency-key']),
        network: request.network,
        change: request.body,
      });
      return reply.status(202).send({ generations: accepted.map(({ view }) => view) });
    },
  );

  app.post(
    paths.remake(':id'),
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      schema: {
        operationId: 'remakeImage',
        tags: ['generations'],
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
      const { accepted } = await remake(context, {
        sellerId: request.caller.sellerId,
        id: request.params.id,
        network: request.network,
      });
      return reply.status(202).send({ generations: accepted.map(({ view }) => view) });
    },
  );
}
