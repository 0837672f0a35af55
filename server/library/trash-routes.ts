import { z } from 'zod';
import {
  emptiedTrashSchema,
  emptyTrashQuerySchema,
  generationViewSchema,
  limits,
  paths,
  type Trashed,
  trashedPicture,
  trashedSchema,
  trashQuerySchema,
  trashSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { shownImageKey } from '#server/images/render-edits.ts';
import { thumbnailOf } from '#server/images/thumbnail.ts';
import {
  deleteForEver,
  emptyTrash,
  findTrashed,
  listTrash,
  sizeOfTrash,
  type TrashedGeneration,
} from '#shared/data/generations/trash.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';
import { generationView } from '#shared/views/generation.ts';
import { restoreFromTrash } from './actions.ts';

/** The trash: what a seller deleted and can restore (docs/decisions/0119-a-trash-of-thirty-days.md). */
export async function trashRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, config } = context;
  const keptMs = config.retention.trash;
  const params = z.object({ id: z.string() });
  const onRequest = app.requireSession;

  app.get(
    paths.trash,
    {
      onRequest,
      schema: {
        operationId: 'listTrash',
        tags: ['library'],
        summary: 'What is in the trash, what was deleted last first',
        querystring: trashQuerySchema,
        response: { 200: trashSchema, ...errorReplies(400, 401) },
      },
    },
    async ({ query: { limit, cursor }, caller: { sellerId } }) => {
      const at = new Date();
      const place = cursor === undefined ? undefined : decodeCursor(cursor);
      const before = place && { _id: place._id, at: place.created_at };
      const [rows, size] = await Promise.all([
        listTrash(db, sellerId, { limit: limit + 1, before }),
        // It does not change while somebody scrolls, and counts everything.
        cursor === undefined ? sizeOfTrash(db, sellerId) : null,
      ]);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return {
        images: page.map((row) => presentTrashed(row, keptMs)),
        nextCursor: last ? encodeCursor({ _id: last._id, created_at: last.deletion!.at }) : null,
        count: size?.images ?? null,
        bytes: size?.bytes ?? null,
        days: Math.round(keptMs / 86_400_000),
        at: at.toISOString(),
      };
    },
  );

  app.delete(
    paths.trash,
    {
      onRequest,
      schema: {
        operationId: 'emptyTrash',
        tags: ['library'],
        summary: 'Delete everything in the trash for ever',
        description:
          'What was moved to the trash after `at` stays. It cannot be undone, and gives no image back.',
        querystring: emptyTrashQuerySchema,
        response: { 200: emptiedTrashSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ query: { at }, caller: { sellerId } }) => {
      const [newest] = await listTrash(db, sellerId, { limit: 1 });
      const deleted = await emptyTrash(db, sellerId, new Date(at));
      // One event is enough: windows that show the trash fetch it again.
      if (newest)
        context.relay.publish(sellerId, { generationRemoved: { id: newest._id, revision: newest.revision } });
      return { deleted };
    },
  );

  app.get(
    paths.trashed(':id'),
    {
      onRequest,
      schema: {
        operationId: 'getTrashed',
        tags: ['library'],
        summary: 'What is in the trash, by its id',
        params,
        response: { 200: trashedSchema, ...errorReplies(401, 404) },
      },
    },
    async ({ params: { id }, caller: { sellerId } }) => {
      const row = await findTrashed(db, sellerId, id);
      if (!row) throw new AppError('NOT_FOUND');
      return presentTrashed(row, keptMs);
    },
  );

  app.delete(
    paths.trashed(':id'),
    {
      onRequest,
      schema: {
        operationId: 'deleteForEver',
        tags: ['library'],
        summary: 'Delete what is in the trash for ever',
        description: 'It cannot be undone. Repeating it changes nothing.',
        params,
        response: { 204: z.null(), ...errorReplies(401, 403, 404) },
      },
    },
    async ({ params: { id }, caller: { sellerId } }, reply) => {
      const row = await deleteForEver(db, sellerId, id);
      if (row === null) throw new AppError('NOT_FOUND');
      if (row !== 'done') await announce(context, sellerId, { generation: row });
      return reply.status(204).send(null);
    },
  );

  app.get(
    trashedPicture(':id'),
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadTrashedPicture',
        tags: ['images'],
        summary: 'A small picture of what is in the trash',
        params,
        response: { 200: fileReply('WebP', 'image/webp'), ...errorReplies(401, 404, 503) },
      },
    },
    async ({ params: { id }, caller: { sellerId } }, reply) => {
      const row = await findTrashed(db, sellerId, id);
      if (!row) throw new AppError('NOT_FOUND');
      const disconnected = disconnectedOf(reply);
      const shown = await shownImageKey(context, row, disconnected);
      const key = shown ?? row.photos[0]?.key;
      const small =
        key && (await thumbnailOf(context, { sellerId, disconnected }, key, shown ? row : undefined));
      if (!small) throw new AppError('NOT_FOUND');
      return reply
        .header('cache-control', `private, max-age=${limits.imageCacheSeconds}`)
        .type('image/webp')
        .send(small);
    },
  );

  app.post(
    paths.restoreGeneration(':id'),
    {
      onRequest,
      schema: {
        operationId: 'restoreGeneration',
        tags: ['library'],
        summary: 'Restore a generation from the trash',
        description:
          'Into the project that it was in, or the default project if that was deleted. One that is not deleted stays as it is.',
        params,
        response: { 200: generationViewSchema, ...errorReplies(401, 404, 409) },
      },
    },
    async ({ params: { id }, caller: { sellerId } }) =>
      generationView(db, await restoreFromTrash(context, sellerId, id)),
  );
}

/** What a seller sees of a generation in the trash. @param keptMs how long it stays there */
function presentTrashed({ _id: id, state, deletion, ...row }: TrashedGeneration, keptMs: number): Trashed {
  if (state === 'receiving' || !deletion) throw new Error(`generation ${id} is not in the trash`);
  return {
    id,
    state,
    productName: row.product_name,
    sku: row.sku ?? '',
    prompt: row.prompt,
    pictureUrl: trashedPicture(id),
    deletedAt: deletion.at.toISOString(),
    removedAt: new Date(deletion.at.getTime() + keptMs).toISOString(),
  };
}
