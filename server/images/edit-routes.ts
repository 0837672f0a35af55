import { z } from 'zod';
import { generationViewSchema, paths, saveEditsSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { generationView } from '#shared/views/generation.ts';
import { editImage } from './edit-image.ts';

/** A seller's edits of a finished image. */
export async function editRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

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
      const row = await editImage(context, request.caller.sellerId, request.params.id, request.body);
      return generationView(db, row);
    },
  );
}
