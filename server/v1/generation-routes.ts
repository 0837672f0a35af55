import { z } from 'zod';
import {
  cancelGenerationSchema,
  downloadName,
  limits,
  photoFormats,
  type V1CreateForm,
  v1CreatedSchema,
  v1CreateFormSchema,
  v1CreateRequestSchema,
  v1EstimateSchema,
  v1GenerationListSchema,
  v1GenerationQuerySchema,
  v1GenerationSchema,
  v1ListQuerySchema,
  v1Paths,
} from '#contract';
import { apiKeyOf } from '#server/auth/session.ts';
import { fingerprintOf, idempotencyKeyOf } from '#server/generations/idempotency.ts';
import { submitForm } from '#server/generations/submit-form.ts';
import type { App } from '#server/http/app-type.ts';
import { attachment } from '#server/http/attachment.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { idempotencyHeaders, photoParts, versionHeaders } from '#server/http/documented.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { parse } from '#server/http/validation.ts';
import { shownImageKey } from '#server/images/render-edits.ts';
import { admitRequest } from '#server/uploads/admit.ts';
import { checkPhotos, readFields, readUpload } from '#server/uploads/read-upload.ts';
import { underSlot } from '#server/uploads/under-slot.ts';
import { findGeneration, listGenerations } from '#shared/data/generations/find.ts';
import { cancel } from '#shared/generations/cancel.ts';
import { findRepeated } from '#shared/generations/submit.ts';
import { AppError } from '#shared/platform/errors.ts';
import { generationView, generationViews } from '#shared/views/generation.ts';
import { presentV1 } from '#shared/views/v1.ts';
import { checkAgreed, sentFields, wholeRequest } from './asked.ts';
import { estimateForm } from './estimate.ts';
import { fetchPhotos } from './fetch-photos.ts';
import type { V1Parts } from './parts.ts';
import { presentCreated } from './present.ts';

/** Version 1 of the API: images (docs/decisions/0135-the-api-for-programs.md). */
export async function v1GenerationRoutes(app: App, { context, slots, photoSlots, waits }: V1Parts) {
  const { db, config, storage } = context;
  const fetching = { context, photoSlots, count: app.limitSeller('photo-address') };
  const params = z.object({ id: z.string() });

  app.post(
    v1Paths.generations,
    {
      onRequest: [app.requireKey('generations:write'), app.limitNetwork('upload')],
      schema: {
        operationId: 'generations.create',
        tags: ['api'],
        summary: 'Make images of a product',
        description:
          `One to ${limits.photos} photos (${photoFormats}, at most ${limits.photoBytes / 1024 / 1024} MB each), as \`photos\` of JSON with the ` +
          'addresses where they are, or as file parts of a form, and a description of the scene. Each of the `numImages` is a ' +
          'generation of its own: it is made, counted and cancelled by itself. All of them are accepted, or none. A repeated ' +
          'request with the same `Idempotency-Key` is answered with the generations of the first one, and makes nothing. With ' +
          '`dryRun` nothing is made or fetched, and the answer says what would be used. With `maxImages` nothing is made if it ' +
          'would be more than that. With `lookId` the scene, options and number of images are those of a saved look, and fields ' +
          'beside it win over them; `width` and `height` must then fit together. A repeated request is the same one although ' +
          'somebody changed or deleted the look since. An `Idempotency-Key` does not expire after a day: the answer shows the ' +
          'generations as they are by then, and is 410 `GENERATION_DELETED` if all of them were deleted. The same key with ' +
          'another body is 409 `IDEMPOTENCY_MISMATCH`.',
        consumes: ['multipart/form-data'],
        requestHeaders: idempotencyHeaders.extend(versionHeaders.shape),
        form: { fields: v1CreateFormSchema, files: { photos: photoParts.several } },
        orJson: v1CreateRequestSchema,
        response: {
          200: v1EstimateSchema,
          202: v1CreatedSchema,
          ...errorReplies(400, 401, 402, 403, 408, 409, 410, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const idempotencyKey = idempotencyKeyOf(request.headers['idempotency-key']);
      const json = request.isMultipart() ? null : parse(v1CreateRequestSchema, request.body);
      if (json?.dryRun) return estimateForm(context, request, json, request.body as object);
      /** @param photos what tells them from others: addresses, or hashes of files */
      const prepare = async (asked: V1CreateForm, body: object, photos: readonly string[]) => {
        const sent = sentFields(asked, body);
        const fingerprint = fingerprintOf(sent, photos);
        // First of all: the look of a repeated request may be another by now, and its photos gone.
        const repeated = await findRepeated(context, {
          kind: 'photos',
          sellerId,
          idempotencyKey,
          fingerprint,
        });
        if (repeated) return { repeated };
        const fields = await wholeRequest(db, sellerId, sent);
        checkAgreed(fields.numImages, asked.maxImages);
        return { fields, fingerprint };
      };
      const { slot, admitted, refusal } = await admitRequest(
        { context, slots },
        request,
        reply,
        idempotencyKey,
        json === null,
      );
      return underSlot(slot, async (own) => {
        if (refusal) {
          const fields = await readFields(request);
          if (fields.dryRun !== 'true') throw refusal;
          return await estimateForm(context, request, parse(v1CreateFormSchema, fields), fields);
        }
        const addresses = json?.photos.map(({ url }) => url);
        const known = json && addresses && (await prepare(json, request.body as object, addresses));
        if (known?.repeated) return reply.status(202).send(presentCreated(known.repeated));
        await storage.checkRoom(config.storageReserveBytes);
        const upload = own(
          addresses
            ? await fetchPhotos(fetching, request, addresses, disconnectedOf(reply))
            : await readUpload(request, storage),
        );
        const asked = json ?? parse(v1CreateFormSchema, upload.fields);
        if (asked.dryRun) return await estimateForm(context, request, asked, upload.fields);
        checkPhotos(upload.files);
        // Photos take a while to arrive, and the key may have been revoked since.
        await app.confirmKey(request);
        const { repeated, fields, fingerprint } =
          known ??
          (await prepare(
            asked,
            upload.fields,
            upload.files.map(({ sha256 }) => sha256),
          ));
        if (repeated) return reply.status(202).send(presentCreated(repeated));
        const submitted = await submitForm(context, {
          sellerId,
          idempotencyKey,
          network: request.network,
          apiKey: apiKeyOf(request.caller),
          fields,
          files: upload.files,
          admitted,
          fingerprint,
        });
        return reply.status(202).send(presentCreated(submitted));
      });
    },
  );

  app.get(
    v1Paths.generations,
    {
      onRequest: app.requireKey('generations:read'),
      schema: {
        operationId: 'generations.list',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'Images of the account, newest first',
        querystring: v1ListQuerySchema,
        response: { 200: v1GenerationListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const { limit, cursor, projectId: project } = request.query;
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await listGenerations(db, request.caller.sellerId, { limit: limit + 1, before, project });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const views = await generationViews(db, page);
      return {
        generations: views.map(presentV1),
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.get(
    v1Paths.generation(':id'),
    {
      onRequest: app.requireKey('generations:read'),
      exposeHeadRoute: false,
      schema: {
        operationId: 'generations.get',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'An image, or how far it is',
        description: `With \`wait\` the reply comes when it has ended, or after that time (at most ${limits.apiWaitSeconds} seconds).`,
        params,
        querystring: v1GenerationQuerySchema,
        response: { 200: v1GenerationSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const { id } = request.params;
      const { wait } = request.query;
      const row = await waits.untilEnded(sellerId, id, wait, disconnectedOf(reply)).catch((error) => {
        request.toldLimits?.tellRefusal({ name: 'wait', requests: limits.apiWaits }, error);
        throw error;
      });
      if (wait > 0) await app.confirmKey(request);
      return presentV1(await generationView(db, row));
    },
  );

  app.post(
    v1Paths.cancel(':id'),
    {
      onRequest: app.requireKey('generations:write'),
      schema: {
        operationId: 'generations.cancel',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'Stop an image that has not ended',
        description:
          'Free until a preview exists. From then on stopping uses the image: with `useImage` it is stopped and counted, ' +
          'without it the answer is `PREVIEW_SHOWN`, and it continues.',
        params,
        body: cancelGenerationSchema.nullish(),
        response: { 200: v1GenerationSchema, ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request) => {
      const agreed = request.body?.useImage ?? false;
      const row = await cancel(context, request.caller.sellerId, request.params.id, agreed);
      return presentV1(await generationView(db, row));
    },
  );

  app.get(
    v1Paths.image(':id'),
    {
      onRequest: app.requireKey('generations:read'),
      exposeHeadRoute: false,
      schema: {
        operationId: 'generations.image',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'The finished image',
        description: 'As a PNG; as it was edited last, where the seller has edited it.',
        params,
        response: { 200: fileReply('The image', 'image/png'), ...errorReplies(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const row = await findGeneration(db, request.caller.sellerId, request.params.id);
      const key = row && (await shownImageKey(context, row, disconnectedOf(reply)));
      const file = key ? await storage.open(key) : undefined;
      if (!row || !file) throw new AppError('NOT_FOUND');
      return reply
        .type('image/png')
        .headers({
          'content-length': file.bytes,
          'content-disposition': attachment(
            downloadName(row.product_name, row.created_at.toISOString(), 'png'),
          ),
          'cache-control': 'private, no-store',
        })
        .send(file.stream);
    },
  );
}
