import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  hasEnded,
  v1BatchActions,
  v1BatchAgainSchema,
  v1BatchExportSchema,
  v1BatchPaths,
  v1BatchProductsSchema,
  v1BatchReportSchema,
  v1BatchRetrySchema,
  v1BatchReviewSchema,
  v1BatchSchema,
  v1BatchSpendSchema,
  v1EstimateSchema,
} from '#contract';
import { sendArchive, sendProductTable, sendReport } from '#server/batches/archive.ts';
import {
  batchOf,
  checkSpend,
  countSpend,
  makeAgain,
  review,
  runAction,
  type Spend,
  wasCarriedOut,
} from '#server/batches/batch-actions.ts';
import type { App } from '#server/http/app-type.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { parse } from '#server/http/validation.ts';
import type { BatchRow } from '#shared/data/batches/schema.ts';
import { listAllIn } from '#shared/data/generations/batches.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkAgreed } from './asked.ts';
import { estimate } from './estimate.ts';
import type { V1Parts } from './parts.ts';
import { presentBatch } from './present.ts';

/** Version 1 of the API: what is done with a batch, by the functions of the web app's, and its files. */
export async function v1BatchActionRoutes(app: App, { context, downloads }: V1Parts) {
  const { db } = context;
  const params = z.object({ id: z.string() });
  const common = { tags: ['api'], requestHeaders: versionHeaders };
  const toAct = [app.requireKey('generations:write'), app.limitSeller('batch-action')];
  const toDownload = app.limitSeller('batch-download');

  const batchIn = ({ caller, params }: { caller: { sellerId: string }; params: { id: string } }) =>
    batchOf(context, caller.sellerId, params.id);

  /** What a request that spends is answered with: an estimate, or the batch once it was done. */
  async function spend(
    request: FastifyRequest,
    batch: BatchRow,
    { action, ids }: Spend,
    { dryRun, maxImages }: z.output<typeof v1BatchSpendSchema>,
  ) {
    const images = await countSpend(context, batch, { action, ids });
    if (dryRun) {
      return estimate(context, request, {
        images,
        maxImages,
        check: (profile, network) => checkSpend(context, batch, { action, ids }, profile, network),
      });
    }
    checkAgreed(images, maxImages);
    const asked = { name: action, network: request.network };
    const act = ids && (() => makeAgain(context, batch, ids));
    return presentBatch(db, await runAction(context, batch, asked, act));
  }
  const spent = {
    200: z.union([v1BatchSchema, v1EstimateSchema]),
    ...errorReplies(400, 401, 402, 403, 404, 409, 429),
  };

  for (const name of v1BatchActions) {
    const spends = name === 'start' || name === 'resume';
    app.post(
      v1BatchPaths.action(':id', name),
      {
        onRequest: toAct,
        schema: {
          ...common,
          operationId: `batches.${name}`,
          ...actionTexts[name],
          params,
          body: (spends ? v1BatchSpendSchema : z.strictObject({})).nullish(),
          response: spends
            ? spent
            : { 200: v1BatchSchema, ...errorReplies(400, 401, 402, 403, 404, 409, 429) },
        },
      },
      async (request) => {
        const batch = await batchIn(request);
        if (spends) {
          return spend(request, batch, { action: name }, parse(v1BatchSpendSchema, request.body ?? {}));
        }
        return presentBatch(db, await runAction(context, batch, { name, network: request.network }));
      },
    );
  }

  for (const name of ['retry', 'again'] as const) {
    app.post(
      v1BatchPaths[name](':id'),
      {
        onRequest: toAct,
        schema: {
          ...common,
          operationId: `batches.${name}`,
          ...actionTexts[name],
          params,
          body: name === 'again' ? v1BatchAgainSchema : v1BatchRetrySchema,
          response: spent,
        },
      },
      async (request) => {
        const { round, generations: ids, ...agreed } = request.body as AskedAgain;
        const batch = await batchIn(request);
        if (ids) await checkImages(batch, ids);
        if (round > batch.round) throw new AppError('BATCH_CHANGED');
        if (round < batch.round && !agreed.dryRun) {
          // What it asked for is made, or is under way; or the batch was made again in another way.
          if (await wasCarriedOut(context, batch, ids)) return presentBatch(db, batch);
          throw new AppError('BATCH_CHANGED');
        }
        return spend(request, batch, { action: 'retry', ids }, agreed);
      },
    );
  }

  /** Refuses ids that are no images of a batch, or of such as have not ended. */
  async function checkImages({ _id: id }: BatchRow, generations: readonly string[]): Promise<void> {
    const images = await listAllIn(db, id);
    const known = new Set(images.filter(({ state }) => hasEnded(state)).map((image) => image._id));
    if (generations.every((each) => known.has(each))) return;
    throw new AppError('VALIDATION', {
      message: 'Some of these are no images of this batch, or have not ended.',
      field: 'generations',
    });
  }

  app.post(
    v1BatchPaths.review(':id'),
    {
      onRequest: [app.requireKey('library:write'), app.limitSeller('batch-action')],
      schema: {
        ...common,
        operationId: 'batches.review',
        summary: 'Approve images of a batch, or take that back',
        description:
          'It changes nothing but `approved` of these images, which the rows, the report and the files of the batch read. Images ' +
          'that did not succeed are left as they are.',
        params,
        body: v1BatchReviewSchema,
        response: { 200: v1BatchSchema, ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { generations, approved } = request.body;
      const batch = await batchIn(request);
      await checkImages(batch, generations);
      await review(context, batch, { images: generations, approved });
      return presentBatch(db, batch);
    },
  );

  app.get(
    v1BatchPaths.export(':id'),
    {
      onRequest: [app.requireKey('exports:read'), toDownload],
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'batches.export',
        summary: 'The finished images of a batch in a ZIP',
        description:
          'As they were made, or each image in each of the presets, which are folders unless `pattern` has `{preset}`. `{sku}`, ' +
          '`{asin}`, `{name}`, `{row}` and `{n}`, the number of the image, are replaced as well, and `{amazon}` is `MAIN` for the first ' +
          'image of a product and `PT01`, `PT02` for the others. `only=approved` leaves the others out. Each file is made while the ZIP ' +
          'is sent: if one cannot be made, the connection ends early and the ZIP is not complete.',
        params,
        querystring: v1BatchExportSchema,
        response: {
          200: fileReply('The ZIP', 'application/zip'),
          ...errorReplies(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      await admitDownload(downloads, request, reply);
      const batch = await batchIn(request);
      // It may have waited, and the key may have been revoked since.
      await app.confirmKey(request);
      return sendArchive(context, reply, batch, request.query);
    },
  );

  app.get(
    v1BatchPaths.products(':id'),
    {
      onRequest: [app.requireKey('exports:read'), toDownload],
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'batches.products',
        summary: 'The products of a batch, as CSV for a shop system',
        description:
          'With the names that the files have in the ZIP of the same `presets`, `pattern`, `format` and `only`, in the first of the ' +
          'presets. `base` is the address where you put the files.',
        params,
        querystring: v1BatchProductsSchema,
        response: { 200: fileReply('The CSV', 'text/csv'), ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => sendProductTable(context, reply, await batchIn(request), request.query),
  );

  app.get(
    v1BatchPaths.report(':id'),
    {
      onRequest: [app.requireKey('generations:read'), toDownload],
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'batches.report',
        summary: 'What became of each image of a batch, as CSV',
        description:
          '`image` has the names of its files in the ZIP of the same `presets`, `pattern`, `format` and `only`, separated by commas.',
        params,
        querystring: v1BatchReportSchema,
        response: { 200: fileReply('The CSV', 'text/csv'), ...errorReplies(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      return sendReport(context, reply, await batchIn(request), request.query);
    },
  );
}

/** Body of `retry` and `again`. */
type AskedAgain = z.output<typeof v1BatchRetrySchema> & Partial<z.output<typeof v1BatchAgainSchema>>;

const actionTexts = {
  start: {
    summary: 'Start a batch whose photos are there',
    description:
      'All of its images are put on hold, or none: with `maxImages` nothing is if they are more than that, and with `dryRun` ' +
      'nothing is in any case. Repeating it changes nothing.',
  },
  pause: {
    summary: 'Pause a batch',
    description: 'Images that are in the queue are made, the others wait.',
  },
  resume: {
    summary: 'Continue a paused batch',
    description:
      'What waits is put on hold again where it is not, all of it or nothing. `images` of `dryRun`, and what `maxImages` is compared ' +
      'with, is how many wait.',
  },
  retry: {
    summary: 'Make the failed images of an ended batch again',
    description:
      'Each uses an image; all of them are put on hold, or none. `round` is the one of the batch as you read it: a request that was ' +
      'carried out already does nothing when it is repeated, and is 409 `BATCH_CHANGED` if other images were made again since. `dryRun` and `maxImages` are as for `start`.',
  },
  again: {
    summary: 'Make chosen images of an ended batch again',
    description:
      'Each uses an image; all of them are put on hold, or none. The images before stay in the library, and in the batch until they ' +
      'have a successor; those that have one are passed over. `round`, `dryRun` and `maxImages` are as for `retry`.',
  },
  cancel: {
    summary: 'Cancel the rest of a batch',
    description: 'What waits comes back to the balance. Images with a preview are made.',
  },
} as const;
