import { z } from 'zod';
import { followDecision } from '../../shared/announce.ts';
import {
  cancelGenerationSchema,
  generationListQuerySchema,
  generationListSchema,
  generationRequestSchema,
  generationViewSchema,
  limits,
  paths,
} from '../../shared/contract/index.ts';
import type { GenerationRow } from '../../shared/data/generation.ts';
import { cancelGeneration, findGeneration, listGenerations } from '../../shared/data/generations.ts';
import { queuePosition } from '../../shared/data/queue-position.ts';
import { Refusal } from '../../shared/errors.ts';
import { presentGeneration } from '../../shared/present.ts';
import { admitUpload } from '../admit-upload.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { refusalReplies } from '../replies.ts';
import { idempotencyKeyOf, submit } from '../submit.ts';
import type { UploadSlots } from '../upload-slots.ts';
import { readUpload, type Upload } from '../uploads.ts';
import { parse } from '../validation.ts';

/** What a cancel that changed nothing is answered with. */
const cancelRefusals = { refused: 'PREVIEW_SHOWN', ended: 'GENERATION_ENDED', absent: 'NOT_FOUND' } as const;

/** A seller's generations: submit, list, look at one, cancel. */
export async function generationRoutes(
  app: App,
  { context, slots }: { context: ServerContext; slots: UploadSlots },
) {
  const { data, relay, config, storage } = context;
  const anyId = z.object({ id: z.string() });

  app.post(
    paths.generations,
    {
      onRequest: [app.requireSession, app.limitNetwork('upload')],
      schema: {
        summary: 'Submit photos and a scene description',
        description:
          `Multipart form: one to ${limits.photos} photos as file parts named \`images\` (JPEG, PNG, WebP, TIFF or AVIF, ` +
          `at most ${limits.photoBytes / 1024 / 1024} MB each), and the text fields \`prompt\`, \`productName\` (optional) ` +
          'and `n` (optional, 1). With an `Idempotency-Key` header a repeated request gets the first answer again.',
        consumes: ['multipart/form-data'],
        response: {
          202: generationViewSchema,
          ...refusalReplies(400, 401, 402, 403, 408, 409, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller;
      const idempotencyKey = idempotencyKeyOf(request.headers['idempotency-key']);
      const slot = await admitUpload({ context, slots }, request, reply, idempotencyKey);
      let upload: Upload | undefined;
      let row: GenerationRow;
      try {
        await storage.checkRoom(config.storageReserveBytes);
        upload = await readUpload(request, config.storageFolder);
        if (upload.files.length === 0) throw new Refusal('IMAGE_REQUIRED');
        if (upload.files.some((file) => file.bytes === 0)) throw new Refusal('FILE_EMPTY');
        const submission = {
          profile: userId,
          idempotencyKey,
          request: parse(generationRequestSchema, upload.fields),
          files: upload.files,
        };
        row = await submit(context, submission);
      } finally {
        try {
          await upload?.discard();
        } finally {
          slot.leave();
        }
      }
      return reply.status(202).send(presentGeneration(row, await queuePosition(data, row)));
    },
  );

  app.get(
    paths.generations,
    {
      onRequest: app.requireSession,
      schema: {
        summary: "The seller's generations, newest first",
        querystring: generationListQuerySchema,
        response: { 200: generationListSchema, ...refusalReplies(400, 401) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await listGenerations(data, request.caller.userId, limit + 1, before);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        generations: await Promise.all(
          page.map(async (row) => presentGeneration(row, await queuePosition(data, row))),
        ),
        nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
      };
    },
  );

  app.get(
    paths.generation(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'One generation',
        params: anyId,
        response: { 200: generationViewSchema, ...refusalReplies(401, 404) },
      },
    },
    async (request) => {
      const row = await findGeneration(data, request.caller.userId, request.params.id);
      if (!row) throw new Refusal('NOT_FOUND');
      return presentGeneration(row, await queuePosition(data, row));
    },
  );

  app.post(
    paths.cancelGeneration(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Cancel a generation that has not ended',
        description:
          'Free while no preview is on show (`previewUrl` is null). While one is, stopping uses the image: with ' +
          '`useImage` it is stopped and counted, without it the answer is `PREVIEW_SHOWN` and the generation goes on.',
        params: anyId,
        body: cancelGenerationSchema.nullish(),
        response: { 200: generationViewSchema, ...refusalReplies(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { userId } = request.caller;
      const agreed = request.body?.useImage ?? false;
      const cancel = await cancelGeneration(data, userId, request.params.id, agreed);
      if (cancel.outcome !== 'cancelled') throw new Refusal(cancelRefusals[cancel.outcome]);
      const { row } = cancel;
      relay.publishCancel(row._id);
      await followDecision(context, row);
      return presentGeneration(row, null);
    },
  );
}
