import { z } from 'zod';
import {
  changeGenerationSchema,
  generationViewSchema,
  limits,
  paths,
  removedGenerationSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import {
  changeGeneration,
  deleteGeneration,
  restoreGeneration,
  undoDeletionMs,
} from '#shared/data/generations/library.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';
import { generationView, presentRemoved } from '#shared/views/generation.ts';

/** The errors of a deletion, and of undoing it, that changed nothing. */
const refusals = { absent: 'NOT_FOUND', unended: 'NOT_DELETABLE', late: 'RESTORE_TOO_LATE' } as const;

/** A seller's library: rename, mark as favourite, delete, restore. */
export async function libraryRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const params = z.object({ id: z.string() });

  app.patch(
    paths.generation(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'changeGeneration',
        tags: ['library'],
        summary: 'Rename a generation, or mark it as a favourite',
        params,
        body: changeGenerationSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 404) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const row = await changeGeneration(db, sellerId, request.params.id, request.body);
      if (!row) throw new AppError('NOT_FOUND');
      await announce(context, sellerId, { generation: row });
      return generationView(db, row);
    },
  );

  app.delete(
    paths.generation(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'deleteGeneration',
        tags: ['library'],
        summary: 'Delete a generation that has ended',
        description:
          `It is gone at once, and can be restored for ${limits.undoDeletionSeconds} seconds. After that its texts and ` +
          'files are removed for good. It stays counted: deleting gives no image back.',
        params,
        response: { 200: removedGenerationSchema, ...errorReplies(401, 404, 409) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const deletion = await deleteGeneration(db, sellerId, request.params.id);
      if (deletion.outcome !== 'deleted') throw new AppError(refusals[deletion.outcome]);
      await announce(context, sellerId, { generation: deletion.row });
      return presentRemoved(deletion.row);
    },
  );

  app.post(
    paths.restoreGeneration(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'restoreGeneration',
        tags: ['library'],
        summary: 'Undo the deletion of a generation',
        description: `Possible for ${limits.undoDeletionSeconds} seconds. One that is not deleted stays as it is.`,
        params,
        response: { 200: generationViewSchema, ...errorReplies(401, 404, 409) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const since = new Date(Date.now() - undoDeletionMs);
      const restoration = await restoreGeneration(db, sellerId, request.params.id, since);
      if (restoration.outcome !== 'restored') throw new AppError(refusals[restoration.outcome]);
      await announce(context, sellerId, { generation: restoration.row });
      return generationView(db, restoration.row);
    },
  );
}
