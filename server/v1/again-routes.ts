import { z } from 'zod';
import {
  limits,
  v1ChangeRequestSchema,
  v1CreatedSchema,
  v1EstimateSchema,
  v1Paths,
  v1RemakeRequestSchema,
  v1SetSchema,
} from '#contract';
import { apiKeyOf } from '#server/auth/session.ts';
import { changeImage, checkChange, checkRemake, remake } from '#server/generations/again.ts';
import { changeBodyLimits } from '#server/generations/again-routes.ts';
import { idempotencyKeyOf } from '#server/generations/idempotency.ts';
import type { App } from '#server/http/app-type.ts';
import { idempotencyHeaders, versionHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { listTakes } from '#shared/data/generations/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { generationViews } from '#shared/views/generation.ts';
import { presentV1 } from '#shared/views/v1.ts';
import { checkAgreed } from './asked.ts';
import { estimate } from './estimate.ts';
import type { V1Parts } from './parts.ts';
import { presentCreated } from './present.ts';

/** Version 1 of the API: new images from finished ones, and the images of one request. */
export async function v1AgainRoutes(app: App, { context }: V1Parts) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const onRequest = [app.requireKey('generations:write'), app.limitNetwork('upload')];
  const made = {
    200: v1EstimateSchema,
    202: v1CreatedSchema,
    ...errorReplies(400, 401, 402, 403, 404, 409, 410, 413, 429, 503),
  };

  app.get(
    v1Paths.set(':id'),
    {
      onRequest: app.requireKey('generations:read'),
      schema: {
        operationId: 'sets.get',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'The images of one request',
        description: 'By their index; `set.id` of each of them is the id. Deleted ones are left out.',
        params,
        response: { 200: v1SetSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async ({ caller: { sellerId }, params: { id } }) => {
      const rows = await listTakes(db, sellerId, id);
      if (rows.length === 0) throw new AppError('NOT_FOUND');
      const views = await generationViews(db, rows);
      return { id, generations: views.map(presentV1) };
    },
  );

  app.post(
    v1Paths.change(':id'),
    {
      onRequest,
      ...changeBodyLimits,
      schema: {
        operationId: 'generations.change',
        tags: ['api'],
        requestHeaders: idempotencyHeaders.extend(versionHeaders.shape),
        summary: 'Change something in a finished image',
        description:
          'A new generation from the finished image and the photos of its own, whose `parentId` is the changed one. It uses one ' +
          'image. With `marks` only what they cover changes: strokes of a brush and rectangles, in pixels of the image from its ' +
          `top left, at most ${limits.markPoints.toLocaleString('en-US')} points in all. With a \`mask\` in their place (a PNG with an ` +
          'alpha channel, of the size of the image, as base64) only what is transparent in it does. Both need the Enterprise ' +
          'plan. A repeated request with the same `Idempotency-Key` is answered with what the first one made.',
        params,
        body: v1ChangeRequestSchema,
        response: made,
      },
    },
    async (request, reply) => {
      const { dryRun, maxImages, ...change } = request.body;
      const form = {
        sellerId: request.caller.sellerId,
        id: request.params.id,
        idempotencyKey: idempotencyKeyOf(request.headers['idempotency-key']),
        network: request.network,
        apiKey: apiKeyOf(request.caller),
        change,
      };
      // A mask takes a while to arrive, and the key may have been revoked since.
      await app.confirmKey(request);
      if (dryRun) {
        return estimate(context, request, {
          images: 1,
          maxImages,
          check: (profile, network) => checkChange(context, form, profile, network),
        });
      }
      checkAgreed(1, maxImages);
      return reply.status(202).send(presentCreated(await changeImage(context, form)));
    },
  );

  app.post(
    v1Paths.remake(':id'),
    {
      onRequest,
      schema: {
        operationId: 'generations.remake',
        tags: ['api'],
        requestHeaders: idempotencyHeaders.extend(versionHeaders.shape),
        summary: 'Make an image again at no charge',
        description:
          'Once for an image whose product match is low (`remake` is `offered`), and ' +
          `${limits.remakesAMonth} times in a calendar month (UTC): with the same photos, description and options, and the next seed. ` +
          'It uses no image. A repeated request is answered with what the first one made, whatever its `Idempotency-Key`.',
        params,
        body: v1RemakeRequestSchema.nullish(),
        response: made,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      // Wrong ones are refused here as well.
      idempotencyKeyOf(request.headers['idempotency-key']);
      if (request.body?.dryRun) {
        return estimate(context, request, {
          images: 0,
          maxImages: request.body.maxImages,
          check: (profile, network) => checkRemake(context, id, profile, network),
        });
      }
      const submitted = await remake(context, {
        sellerId: request.caller.sellerId,
        id,
        network: request.network,
        apiKey: apiKeyOf(request.caller),
      });
      return reply.status(202).send(presentCreated(submitted));
    },
  );
}
