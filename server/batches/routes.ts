import { z } from 'zod';
import {
  batchActions as actionNames,
  batchArchiveSchema,
  batchListSchema,
  batchPhotoReplySchema,
  batchViewSchema,
  createBatchSchema,
  limits,
  paths,
  sha256Schema,
  usualBatchPattern,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import { attachment } from '#server/http/attachment.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import type { Slots } from '#server/http/slots.ts';
import { batchSummaries, batchView } from '#shared/batches/batch-views.ts';
import { listBatches, removeBatch } from '#shared/data/batches/batches.ts';
import { findMissingPhotos } from '#shared/data/batches/items.ts';
import { removeUnusedPhotoSet } from '#shared/generations/photo-sets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { admitBatch } from './admit-batch.ts';
import { archiveOf, reportOf } from './archive.ts';
import { batchActions, batchOf } from './batch-actions.ts';
import { createBatch } from './create-batch.ts';
import { receivePhoto } from './receive-photo.ts';

/** Batches: many products whose images are made together (docs/decisions/0058-batches.md). */
export async function batchRoutes(
  app: App,
  { context, slots, downloads }: { context: ServerContext; slots: Slots; downloads: Slots },
) {
  const { db, config, log } = context;
  const params = z.object({ id: z.string() });
  const onRequest = app.requireSession;
  const batchIn = ({ caller, params }: { caller: { sellerId: string }; params: { id: string } }) =>
    batchOf(context, caller.sellerId, params.id);

  app.get(
    paths.batches,
    {
      onRequest,
      schema: {
        summary: "The seller's batches, newest first",
        response: { 200: batchListSchema, ...errorReplies(401) },
      },
    },
    async ({ caller: { sellerId } }) => ({
      batches: await batchSummaries(db, await listBatches(db, sellerId)),
    }),
  );

  app.post(
    paths.batches,
    {
      onRequest,
      bodyLimit: limits.batchBytes,
      // A row has at most 25.
      config: { jsonValues: { most: limits.batchRows * 50 } },
      schema: {
        summary: 'Make a batch of up to 500 products',
        description:
          'Its photos are named by SHA-256 and uploaded next; nothing is on hold until it is started. Idempotent by `key`.',
        body: createBatchSchema,
        response: { 201: batchViewSchema, ...errorReplies(400, 401, 403, 409, 413, 503) },
      },
    },
    async ({ caller: { sellerId }, body }, reply) =>
      reply.status(201).send(await batchView(db, await createBatch(context, sellerId, body))),
  );

  app.get(
    paths.batch(':id'),
    {
      onRequest,
      schema: {
        summary: 'A batch with its rows and images',
        params,
        response: { 200: batchViewSchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => batchView(db, await batchIn(request)),
  );

  app.delete(
    paths.batch(':id'),
    {
      onRequest,
      schema: {
        summary: 'Delete a batch that is not in progress; its images stay',
        params,
        response: { 204: z.undefined(), ...errorReplies(401, 404, 409) },
      },
    },
    async (request, reply) => {
      const { _id: id } = await batchIn(request);
      if (!(await removeBatch(db, id))) throw new AppError('BATCH_IN_PROGRESS');
      await removeUnusedPhotoSet(context, id);
      return reply.status(204).send(undefined);
    },
  );

  app.put(
    paths.batchPhoto(':id', ':sha256'),
    {
      onRequest: [app.requireSession, app.limitNetwork('batch-photo')],
      schema: {
        summary: 'Upload a photo of a batch',
        description:
          'Multipart form with the photo as the file part `images`; the path has its SHA-256. One that the server has ' +
          'already is not read again, so an interrupted upload continues with the photos that are missing.',
        consumes: ['multipart/form-data'],
        params: params.extend({ sha256: sha256Schema }),
        response: {
          200: batchPhotoReplySchema,
          ...errorReplies(400, 401, 404, 408, 409, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      await receivePhoto({ context, slots }, request, reply, request.params);
      return { photosMissing: (await findMissingPhotos(db, request.params.id)).length };
    },
  );

  for (const name of actionNames) {
    app.post(
      paths.batchAction(':id', name),
      {
        onRequest,
        schema: {
          summary: actionSummaries[name],
          params,
          response: { 200: batchViewSchema, ...errorReplies(400, 401, 402, 403, 404, 409, 429) },
        },
      },
      async (request) => {
        const batch = await batchIn(request);
        await admitBatch(context, batch, name, request.network);
        await batchActions[name](context, batch);
        return batchView(db, await batchIn(request));
      },
    );
  }

  app.get(
    paths.batchArchive(':id'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        summary: 'The finished images of a batch as a ZIP',
        params,
        querystring: batchArchiveSchema,
        response: { 200: fileReply('ZIP'), ...errorReplies(400, 401, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      await admitDownload(downloads, request, reply);
      const batch = await batchView(db, await batchIn(request));
      const stream = archiveOf(context, sellerId, batch, request.query.pattern);
      stream.on('error', (error) => log.warn({ err: error, batch: batch.id }, 'a ZIP was interrupted'));
      return reply
        .type('application/zip')
        .headers({ 'content-disposition': attachment(`${batch.name}.zip`), 'cache-control': 'no-store' })
        .send(stream);
    },
  );

  app.get(
    paths.batchReport(':id'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        summary: 'What became of each image of a batch, as CSV',
        params,
        response: { 200: fileReply('CSV'), ...errorReplies(401, 404) },
      },
    },
    async (request, reply) => {
      const batch = await batchView(db, await batchIn(request));
      return reply
        .type('text/csv; charset=utf-8')
        .headers({ 'content-disposition': attachment(`${batch.name}.csv`), 'cache-control': 'no-store' })
        .send(Buffer.from(reportOf(batch, usualBatchPattern, config.linkUrl)));
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
