import { z } from 'zod';
import { generationViewSchema, isIdentity, paths, saveEditsSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { saveEdits } from '#shared/data/generations/library.ts';
import { AppError } from '#shared/platform/errors.ts';
import { logStorageError, StorageError } from '#shared/storage/storage-error.ts';
import { announce } from '#shared/views/announce.ts';
import { generationView } from '#shared/views/generation.ts';

/** The errors of a save that changed nothing. */
const refusals = { absent: 'NOT_FOUND', unfinished: 'NOT_EDITABLE', conflict: 'EDIT_CONFLICT' } as const;

/** A seller's edits of a finished image. */
export async function editRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, storage, log } = context;

  app.put(
    paths.edits(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'saveEdits',
        tags: ['images'],
        summary: 'Edit a finished image',
        description:
          'Stores a recipe: turn, straighten, crop, colours and a pure white background. The image itself stays as it ' +
          'is, and no image is used. The edited image is `edits` of the view. The recipe that changes nothing removes ' +
          'the edits. `basedOn` is the version of the edits that you saw, null for none.',
        params: z.object({ id: z.string() }),
        body: saveEditsSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { recipe, basedOn } = request.body;
      const saved = await saveEdits(db, sellerId, request.params.id, {
        recipe: isIdentity(recipe) ? null : recipe,
        basedOn,
      });
      if (saved.outcome !== 'saved') throw new AppError(refusals[saved.outcome]);
      const { row } = saved;
      // Files of earlier versions. If they cannot be removed now, the next save or the deletion removes them.
      await storage.removeEdited(row._id).catch((error) => {
        if (!(error instanceof StorageError)) throw error;
        logStorageError(log, error);
      });
      await announce(context, sellerId, { generation: row });
      return generationView(db, row);
    },
  );
}
