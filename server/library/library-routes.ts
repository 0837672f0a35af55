import { z } from 'zod';
import { changeGenerationSchema, generationViewSchema, paths, removedGenerationSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { generationView, presentRemoved } from '#shared/views/generation.ts';
import { changeInLibrary, moveToTrash } from './actions.ts';

/** A seller's library: rename, mark as favourite, delete. */
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
      const { caller, params, body } = request;
      return generationView(db, await changeInLibrary(context, caller.sellerId, params.id, body));
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
          'It is moved to the trash: it is gone from all lists and its addresses stop working, and it can be restored while it ' +
          'is there. After that its texts and files are removed for ever. It stays counted: deleting gives no image back.',
        params,
        response: { 200: removedGenerationSchema, ...errorReplies(401, 404, 409) },
      },
    },
    async ({ caller, params }) => presentRemoved(await moveToTrash(context, caller.sellerId, params.id)),
  );
}
