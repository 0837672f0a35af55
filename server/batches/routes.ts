import { z } from 'zod';
import {
  batchActions as actionNames,
  batchFilesSchema,
  batchItemsQuerySchema,
  batchItemsSchema,
  batchListSchema,
  batchPhotoReplySchema,
  batchProductsSchema,
  batchQuerySchema,
  batchReportSchema,
  batchViewSchema,
  createBatchSchema,
  limits,
  makeAgainSchema,
  reviewBatchSchema,
  sha256Schema,
  startBatchSchema,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { photoParts } from '#server/http/documented.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { checkMayUpload } from '#server/uploads/may-upload.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { batchItems, batchSummaries, batchView } from '#shared/batches/views.ts';
import { listBatches } from '#shared/data/batches/batches.ts';
import { countMissingPhotos } from '#shared/data/batches/items.ts';
import { AppError } from '#shared/platform/errors.ts';
import { sendArchive, sendProductTable, sendReport } from './archive.ts';
import { batchOf, countSpend, deleteBatch, makeAgain, review, runAction } from './batch-actions.ts';
import { createBatch } from './create-batch.ts';
import { receivePhoto } from './receive-photo.ts';

/** Batches: many products whose images are made together (docs/decisions/0058-batches.md). */
export async function batchRoutes(
  app: App,
  { context, slots, downloads }: { context: ServerContext; slots: Slots; downloads: Slots },
) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const { requireSession } = app;
  const limitWhole = app.limitSeller('batch-whole');
  const batchIn = ({ caller, params }: { caller: { sellerId: string }; params: { id: string } }) =>
    batchOf(context, caller.sellerId, params.id);

  app.get(
    batchPaths.batches,
    {
      onRequest: [requireSession, app.limitSeller('batch-list')],
      config: { revalidated: true },
      schema: {
        operationId: 'listBatches',
        tags: ['batches'],
        summary: "The seller's batches, newest first",
        response: { 200: batchListSchema, ...errorReplies(401, 429) },
      },
    },
    async ({ caller: { sellerId } }) => ({
      batches: await batchSummaries(db, await listBatches(db, sellerId)),
    }),
  );

  app.post(
    batchPaths.batches,
    {
      // Before the body is read.
      onRequest: [
        requireSession,
        app.limitSeller('batch-new'),
        async ({ caller: { sellerId } }) => void (await checkMayUpload(context, sellerId)),
      ],
      bodyLimit: limits.batchBytes,
      // A row has at most 25.
      config: { jsonValues: { most: limits.batchRows * 50 } },
      schema: {
        operationId: 'createBatch',
        tags: ['batches'],
        summary: 'Make a batch of up to 500 products',
        description:
          'Its photos are named by SHA-256 and uploaded next; nothing is on hold until it is started. Idempotent by `key`.',
        querystring: batchQuerySchema,
        body: createBatchSchema,
        response: { 201: batchViewSchema, ...errorReplies(400, 401, 402, 403, 409, 413, 429, 503) },
      },
    },
    async (request, reply) => {
      const { caller, body, query } = request;
      const batch = await createBatch(context, caller.sellerId, body);
      return reply.status(201).send(await batchView(db, batch, query.items === undefined));
    },
  );

  app.get(
    batchPaths.batch(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-read')],
      config: { revalidated: true },
      schema: {
        operationId: 'getBatch',
        tags: ['batches'],
        summary: 'A batch',
        description: 'With `items=none` without its rows, which are read in pages; else with all of them.',
        params,
        querystring: batchQuerySchema,
        response: { 200: batchViewSchema, ...errorReplies(400, 401, 404, 429) },
      },
    },
    async (request) => {
      const whole = request.query.items === undefined;
      if (whole) await limitWhole(request);
      return batchView(db, await batchIn(request), whole);
    },
  );

  app.get(
    batchPaths.batchItems(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-read')],
      config: { revalidated: true },
      schema: {
        operationId: 'listBatchItems',
        tags: ['batches'],
        summary: 'A page of the rows of a batch, with their images',
        params,
        querystring: batchItemsQuerySchema,
        response: { 200: batchItemsSchema, ...errorReplies(400, 401, 404, 429) },
      },
    },
    async (request) => batchItems(db, await batchIn(request), request.query.from),
  );

  app.delete(
    batchPaths.batch(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-action')],
      schema: {
        operationId: 'deleteBatch',
        tags: ['batches'],
        summary: 'Delete a batch that is not in progress; its images stay',
        params,
        response: { 204: z.undefined(), ...errorReplies(401, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      await deleteBatch(context, await batchIn(request));
      return reply.status(204).send(undefined);
    },
  );

  app.put(
    batchPaths.batchPhoto(':id', ':sha256'),
    {
      onRequest: [requireSession, app.limitNetwork('batch-photo'), app.limitSeller('batch-photo')],
      schema: {
        operationId: 'uploadBatchPhoto',
        tags: ['batches'],
        summary: 'Upload a photo of a batch',
        description:
          'Multipart form with the photo as the file part `images`; the path has its SHA-256. One that the server has ' +
          'already is not read again, so an interrupted upload continues with the photos that are missing.',
        consumes: ['multipart/form-data'],
        form: { files: { images: photoParts.one } },
        params: params.extend({ sha256: sha256Schema }),
        response: {
          200: batchPhotoReplySchema,
          ...errorReplies(400, 401, 402, 404, 408, 409, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      await receivePhoto({ context, slots }, request, reply, request.params);
      return { photosMissing: await countMissingPhotos(db, request.params.id) };
    },
  );

  for (const name of actionNames) {
    app.post(
      batchPaths.batchAction(':id', name),
      {
        onRequest: [requireSession, app.limitSeller('batch-action')],
        schema: {
          operationId: `${name}Batch`,
          tags: ['batches'],
          summary: actionSummaries[name],
          params,
          querystring: batchQuerySchema,
          ...(name === 'start' && { body: startBatchSchema }),
          response: { 200: batchViewSchema, ...errorReplies(400, 401, 402, 403, 404, 409, 429) },
        },
      },
      async (request) => {
        const batch = await batchIn(request);
        const { images } = (request.body as z.output<typeof startBatchSchema>) ?? {};
        // A program may have added rows since.
        if (images !== undefined && (await countSpend(context, batch, { action: 'start' })) > images) {
          throw new AppError('BATCH_CHANGED');
        }
        const acted = await runAction(context, batch, { name, network: request.network });
        return batchView(db, acted, request.query.items === undefined);
      },
    );
  }

  app.post(
    batchPaths.batchReview(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-action')],
      schema: {
        operationId: 'reviewBatch',
        tags: ['batches'],
        summary: 'Approve finished images of a batch, or take that back',
        params,
        querystring: batchQuerySchema,
        body: reviewBatchSchema,
        response: { 200: batchViewSchema, ...errorReplies(400, 401, 404, 429) },
      },
    },
    async (request) => {
      const { query, body } = request;
      const batch = await batchIn(request);
      await review(context, batch, body);
      // Read again: its number of files has changed.
      return batchView(db, await batchIn(request), query.items === undefined);
    },
  );

  app.post(
    batchPaths.batchAgain(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-action')],
      schema: {
        operationId: 'makeBatchImagesAgain',
        tags: ['batches'],
        summary: 'Make images of an ended batch again, each for one image of the balance',
        description:
          'All of them are put on hold, or none. The images before stay in the library, and in the batch until they have a successor.',
        params,
        querystring: batchQuerySchema,
        body: makeAgainSchema,
        response: { 200: batchViewSchema, ...errorReplies(400, 401, 402, 403, 404, 409, 429) },
      },
    },
    async (request) => {
      const { query, body } = request;
      const batch = await batchIn(request);
      const acted = await runAction(context, batch, { name: 'retry', network: request.network }, () =>
        makeAgain(context, batch, body.images),
      );
      return batchView(db, acted, query.items === undefined);
    },
  );

  app.get(
    batchPaths.batchProducts(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-download')],
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadBatchProducts',
        tags: ['batches'],
        summary: 'The products of a batch with the files of its ZIP, as CSV for a shop system',
        params,
        querystring: batchProductsSchema,
        response: { 200: fileReply('The CSV', 'text/csv'), ...errorReplies(400, 401, 404, 429) },
      },
    },
    async (request, reply) => {
      return sendProductTable(context, reply, await batchIn(request), request.query);
    },
  );

  app.get(
    batchPaths.batchArchive(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-download')],
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadBatchArchive',
        tags: ['batches'],
        summary: 'The finished images of a batch as a ZIP',
        description:
          'As they were made, or each image in each of the presets, which are folders unless the pattern names ' +
          'them with `{preset}`. `{sku}`, `{asin}`, `{name}`, `{row}` and `{n}`, the take, are replaced as well, and `{amazon}` is ' +
          '`MAIN` for the first image of a product and `PT01`, `PT02` for the others.',
        params,
        querystring: batchFilesSchema,
        response: { 200: fileReply('The ZIP', 'application/zip'), ...errorReplies(400, 401, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      await admitDownload(downloads, request, reply);
      return sendArchive(context, reply, await batchIn(request), request.query);
    },
  );

  app.get(
    batchPaths.batchReport(':id'),
    {
      onRequest: [requireSession, app.limitSeller('batch-download')],
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadBatchReport',
        tags: ['batches'],
        summary: 'What became of each image of a batch with the names of its files in the ZIP, as CSV',
        params,
        querystring: batchReportSchema,
        response: { 200: fileReply('The CSV', 'text/csv'), ...errorReplies(400, 401, 404, 429) },
      },
    },
    async (request, reply) => {
      return sendReport(context, reply, await batchIn(request), request.query);
    },
  );
}

const actionSummaries = {
  start: 'Start a batch whose photos are uploaded: all of its images are put on hold, or none',
  pause: 'Pause a batch: images that are in the queue are made, the others wait',
  resume: 'Continue a paused batch',
  cancel: 'Cancel the rest of a batch: what waits comes back to the balance',
  retry: 'Make the failed images of an ended batch again',
} as const;
