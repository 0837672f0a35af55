import { z } from 'zod';
import {
  cancelGenerationSchema,
  cancelledGenerationSchema,
  generationListQuerySchema,
  generationListSchema,
  generationRequestSchema,
  generationSetSchema,
  generationViewSchema,
  limits,
  optionFields,
  paths,
  photoFormats,
  seedFields,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { idempotencyHeaders, photoParts } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { parse } from '#server/http/validation.ts';
import { admitUpload } from '#server/uploads/admit.ts';
import { checkPhotos, readUpload } from '#server/uploads/read-upload.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { underSlot } from '#server/uploads/under-slot.ts';
import { unpaidCallsNotice } from '#shared/credits/unpaid-calls.ts';
import {
  findGeneration,
  listGenerations,
  listPending,
  listTakes,
  listVersions,
} from '#shared/data/generations/find.ts';
import { cancel } from '#shared/generations/cancel.ts';
import { AppError } from '#shared/platform/errors.ts';
import { generationView, generationViews } from '#shared/views/generation.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { submitForm } from './submit-form.ts';

const optionNames = Object.keys({ ...optionFields, ...seedFields })
  .map((name) => `\`${name}\``)
  .join(', ');

/** A seller's generations: submit, list, read, cancel. */
export async function generationRoutes(
  app: App,
  { context, slots }: { context: ServerContext; slots: Slots },
) {
  const { db, config, storage } = context;
  const anyId = z.object({ id: z.string() });

  app.post(
    paths.generations,
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      schema: {
        operationId: 'createGenerations',
        tags: ['generations'],
        summary: 'Submit photos and a scene description',
        description:
          `Multipart form: one to ${limits.photos} photos as file parts named \`images\` (${photoFormats}, ` +
          `at most ${limits.photoBytes / 1024 / 1024} MB each), and the text fields \`prompt\`, and optionally \`productName\`, \`projectId\`, ` +
          `\`photosShow\` (\`one-product\`, the default, or \`several-products\`), \`numImages\` (1 to ${limits.imagesPerRequest}), ` +
          `${optionNames}. Width and height are one of the sizes. With an \`Idempotency-Key\` header ` +
          'the request is idempotent. Each of the `numImages` takes is a generation: it is made, counted and cancelled by ' +
          'itself. All of them are accepted, or none.',
        consumes: ['multipart/form-data'],
        requestHeaders: idempotencyHeaders,
        form: { fields: generationRequestSchema, files: { images: photoParts.several } },
        response: {
          202: generationSetSchema,
          ...errorReplies(400, 401, 402, 403, 408, 409, 410, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const idempotencyKey = idempotencyKeyOf(request.headers['idempotency-key']);
      const { slot, admitted } = await admitUpload({ context, slots }, request, reply, idempotencyKey);
      return underSlot(slot, async (own) => {
        await storage.checkRoom(config.storageReserveBytes);
        const upload = own(await readUpload(request, storage));
        checkPhotos(upload.files);
        const { accepted } = await submitForm(context, {
          sellerId,
          idempotencyKey,
          network: request.network,
          fields: parse(generationRequestSchema, upload.fields),
          files: upload.files,
          admitted,
        });
        return reply.status(202).send({ generations: accepted.map(({ view }) => view) });
      });
    },
  );

  app.get(
    paths.generations,
    {
      onRequest: app.requireSession,
      config: { revalidated: true },
      schema: {
        operationId: 'listGenerations',
        tags: ['generations'],
        summary:
          "The seller's generations, newest first; with `project` those in it, with `set` those of one set, with `root` the " +
          'versions of one image, with `pending=true` those that have not ended',
        querystring: generationListQuerySchema,
        response: { 200: generationListSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { limit, cursor, set, root, pending, project } = request.query;
      if (set !== undefined || root !== undefined || pending) {
        const together =
          set !== undefined
            ? await listTakes(db, sellerId, set)
            : root !== undefined
              ? await listVersions(db, sellerId, root)
              : await listPending(db, sellerId, limit);
        return { generations: await generationViews(db, together), nextCursor: null };
      }
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await listGenerations(db, sellerId, { limit: limit + 1, before, project });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        generations: await generationViews(db, page),
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.get(
    paths.generation(':id'),
    {
      onRequest: app.requireSession,
      config: { revalidated: true },
      schema: {
        operationId: 'getGeneration',
        tags: ['generations'],
        summary: 'One generation',
        params: anyId,
        response: { 200: generationViewSchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const row = await findGeneration(db, request.caller.sellerId, request.params.id);
      if (!row) throw new AppError('NOT_FOUND');
      return generationView(db, row);
    },
  );

  app.post(
    paths.cancelGeneration(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'cancelGeneration',
        tags: ['generations'],
        summary: 'Cancel a generation that has not ended',
        description:
          'Free while no preview is visible (`previewUrl` is null). While one is, stopping uses the image: with ' +
          '`useImage` it is stopped and charged, without it the answer is `PREVIEW_SHOWN` and the generation continues.',
        params: anyId,
        body: cancelGenerationSchema.nullish(),
        response: { 200: cancelledGenerationSchema, ...errorReplies(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const agreed = request.body?.useImage ?? false;
      const row = await cancel(context, sellerId, request.params.id, agreed);
      const [view, notice] = await Promise.all([generationView(db, row), unpaidCallsNotice(context, row)]);
      return { ...view, notice };
    },
  );
}
