import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type BatchItem,
  imageOptionsOf,
  limits,
  sha256Schema,
  type V1BatchRows,
  v1AddRowsSchema,
  v1BatchListSchema,
  v1BatchPaths,
  v1BatchPhotoReplySchema,
  v1BatchPhotoRequestSchema,
  v1BatchPhotosSchema,
  v1BatchRowsQuerySchema,
  v1BatchRowsSchema,
  v1BatchSchema,
  v1CreateBatchSchema,
  v1Paths,
} from '#contract';
import { apiKeyOf } from '#server/auth/session.ts';
import { batchOf, deleteBatch } from '#server/batches/batch-actions.ts';
import { addRows, createBatch, type NewRow, wasBatchAskedFor } from '#server/batches/create-batch.ts';
import { receivePhoto } from '#server/batches/receive-photo.ts';
import { idempotencyKeyOf } from '#server/generations/idempotency.ts';
import type { App } from '#server/http/app-type.ts';
import { idempotencyHeaders, photoParts, versionHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { parse } from '#server/http/validation.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import { batchItems, missingPhotos } from '#shared/batches/views.ts';
import { findBatch, listBatches } from '#shared/data/batches/batches.ts';
import { countMissingPhotos, findAddition } from '#shared/data/batches/items.ts';
import { AppError } from '#shared/platform/errors.ts';
import { fetchPhotos, sha256OfAddress } from './fetch-photos.ts';
import type { V1Parts } from './parts.ts';
import { presentBatch, presentBatches } from './present.ts';

/** Version 1 of the API: batches, by the functions of the web app's (docs/decisions/0058-batches.md). */
export async function v1BatchRoutes(app: App, { context, slots, photoSlots }: V1Parts) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const common = { tags: ['api'], requestHeaders: versionHeaders };
  const toRead = app.requireKey('generations:read');
  const toWrite = app.requireKey('generations:write');
  const fetching = { context, photoSlots, count: app.limitSeller('photo-address') };

  const idempotent = idempotencyHeaders.extend(versionHeaders.shape);
  /** @param isRepeated whether a request under a key was carried out before: it is answered although no image is left */
  const takesRows = (isRepeated: (request: FastifyRequest, key: string) => Promise<boolean>) => ({
    // Before the body is read.
    onRequest: [
      toWrite,
      app.limitSeller('batch-new'),
      async (request: FastifyRequest) => {
        const { 'idempotency-key': key } = request.headers;
        await checkMayUpload(context, request.caller.sellerId).catch(async (refusal) => {
          if (typeof key !== 'string' || !(await isRepeated(request, key))) throw refusal;
        });
      },
    ],
    bodyLimit: limits.batchBytes,
    // A row has at most 25.
    config: { jsonValues: { most: limits.batchRows * 50 } },
  });

  const batchIn = ({ caller, params }: { caller: { sellerId: string }; params: { id: string } }) =>
    batchOf(context, caller.sellerId, params.id);

  app.post(
    v1BatchPaths.batches,
    {
      ...takesRows(({ caller }, key) => wasBatchAskedFor(db, caller.sellerId, key)),
      schema: {
        ...common,
        requestHeaders: idempotent,
        operationId: 'batches.create',
        summary: `Make a batch of up to ${limits.batchRows} products`,
        description:
          'With its rows, or without: they can be added later. Each row is a product with its photos: files by their SHA-256, or addresses. They are sent next, a request each; nothing ' +
          'is used until the batch is started. A repeated request with the same `Idempotency-Key` is answered with the batch of the ' +
          `first one, or is 410 \`BATCH_DELETED\` if that one was started and deleted since. What is not started is removed after ${limits.batchUploadDays} days.`,
        body: v1CreateBatchSchema,
        response: { 201: v1BatchSchema, ...errorReplies(400, 401, 402, 403, 409, 410, 413, 429, 503) },
      },
    },
    async (request, reply) => {
      const { rows, ...batch } = request.body;
      const asked = {
        ...batch,
        key: idempotencyKeyOf(request.headers['idempotency-key']),
        rows: rows.map(rowOf),
      };
      const { caller } = request;
      const made = await createBatch(context, caller.sellerId, asked, apiKeyOf(caller));
      return reply.status(201).send(await presentBatch(db, made));
    },
  );

  app.get(
    v1BatchPaths.batches,
    {
      onRequest: [toRead, app.limitSeller('batch-list')],
      schema: {
        ...common,
        operationId: 'batches.list',
        summary: 'All batches, newest first',
        response: { 200: v1BatchListSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async ({ caller }) => ({ batches: await presentBatches(db, await listBatches(db, caller.sellerId)) }),
  );

  app.get(
    v1BatchPaths.batch(':id'),
    {
      onRequest: [toRead, app.limitSeller('batch-read')],
      schema: {
        ...common,
        operationId: 'batches.get',
        summary: 'A batch, and how far it is',
        params,
        response: { 200: v1BatchSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => presentBatch(db, await batchIn(request)),
  );

  app.delete(
    v1BatchPaths.batch(':id'),
    {
      onRequest: [toWrite, app.limitSeller('batch-action')],
      schema: {
        ...common,
        operationId: 'batches.delete',
        summary: 'Delete a batch that is not in progress; its images stay',
        params,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      await deleteBatch(context, await batchIn(request));
      return reply.status(204).send(null);
    },
  );

  app.get(
    v1BatchPaths.rows(':id'),
    {
      onRequest: [toRead, app.limitSeller('batch-read')],
      schema: {
        ...common,
        operationId: 'batches.rows',
        summary: 'Rows of a batch with their images',
        description: `At most ${limits.batchRowsPage} at a time; \`from\` is the \`next\` of the page before.`,
        params,
        querystring: v1BatchRowsQuerySchema,
        response: { 200: v1BatchRowsSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { items, next } = await batchItems(db, await batchIn(request), request.query.from);
      return { rows: items.map(presentRow), next };
    },
  );

  app.post(
    v1BatchPaths.rows(':id'),
    {
      ...takesRows(async ({ caller, params }, key) => {
        const batch = await findBatch(db, caller.sellerId, (params as { id: string }).id);
        return batch !== null && (await findAddition(db, batch._id, key)) !== undefined;
      }),
      schema: {
        ...common,
        requestHeaders: idempotent,
        operationId: 'batches.addRows',
        summary: 'Add rows to a batch that is not started',
        description:
          `All of them, or none: a batch has at most ${limits.batchRows}. They follow those that are there, and their photos are sent ` +
          'next. A repeated request with the same `Idempotency-Key` adds nothing. Once the batch is started its images are on ' +
          'hold, and rows are refused with 409 `BATCH_STARTED`.',
        params,
        body: v1AddRowsSchema,
        response: { 200: v1BatchSchema, ...errorReplies(400, 401, 402, 403, 404, 409, 413, 429, 503) },
      },
    },
    async (request) => {
      const key = idempotencyKeyOf(request.headers['idempotency-key']);
      const rows = request.body.rows.map(rowOf);
      return presentBatch(db, await addRows(context, await batchIn(request), { key, rows }));
    },
  );

  app.get(
    v1BatchPaths.photos(':id'),
    {
      onRequest: [toRead, app.limitSeller('batch-read')],
      schema: {
        ...common,
        operationId: 'batches.photos',
        summary: 'The photos of a batch that are still to be sent',
        params,
        response: { 200: v1BatchPhotosSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      return { missing: await missingPhotos(db, await batchIn(request)) };
    },
  );

  app.put(
    v1BatchPaths.photo(':id', ':sha256'),
    {
      onRequest: [toWrite, app.limitNetwork('batch-photo'), app.limitSeller('batch-photo')],
      schema: {
        ...common,
        operationId: 'batches.upload',
        summary: 'Send a photo of a batch, or have it fetched',
        description:
          'A form with the file, whose SHA-256 is in the path; or JSON with an address, of whose text the path has the SHA-256. One ' +
          'that is there already is not read again.',
        consumes: ['multipart/form-data'],
        form: { files: { photos: photoParts.one } },
        orJson: v1BatchPhotoRequestSchema,
        params: params.extend({ sha256: sha256Schema }),
        response: {
          200: v1BatchPhotoReplySchema,
          ...errorReplies(400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id, sha256 } = request.params;
      const json = request.isMultipart() ? null : parse(v1BatchPhotoRequestSchema, request.body);
      if (json && sha256OfAddress(json.url) !== sha256) {
        throw new AppError('VALIDATION', {
          message: 'The path has not the SHA-256 of this address.',
          field: 'url',
        });
      }
      const read =
        json && ((disconnected: AbortSignal) => fetchPhotos(fetching, request, [json.url], disconnected));
      await receivePhoto({ context, slots }, request, reply, { id, sha256 }, read ?? undefined);
      // A photo takes a while to arrive, and the key may have been revoked since.
      await app.confirmKey(request);
      return { photosMissing: await countMissingPhotos(db, id) };
    },
  );
}

/** A row as batches are made of. An address is a photo by the SHA-256 of its text. */
function rowOf({
  photos,
  productName,
  numImages,
  sku,
  asin,
  prompt,
  ...row
}: z.output<typeof v1AddRowsSchema>['rows'][number]): NewRow {
  return {
    ...imageOptionsOf(row),
    sku,
    ...(asin !== undefined && { asin }),
    prompt,
    name: productName,
    takes: numImages,
    photos: photos.map((photo) => {
      if (!('url' in photo)) return photo;
      const { url } = photo;
      return { sha256: sha256OfAddress(url), name: url.slice(0, limits.fileNameCharacters), url };
    }),
  };
}

function presentRow({ index, sku, asin, name, prompt, images }: BatchItem): V1BatchRows['rows'][number] {
  return {
    index,
    sku,
    asin: asin ?? null,
    productName: name,
    prompt,
    images: images.map(({ generationId, state, imageUrl, match, failure, againFailure, approved }) => ({
      generationId,
      state: state === 'receiving' ? 'waiting' : state,
      url: imageUrl && generationId && v1Paths.image(generationId),
      match,
      failure,
      againFailure,
      approved,
    })),
  };
}
