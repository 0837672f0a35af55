import { generationListSchema, libraryQuerySchema, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { generationViews } from '#shared/views/generation.ts';
import { decodePlace, encodePlace } from './cursor.ts';
import { libraryRequest, readLibraryPage } from './library-page.ts';

/** The library: all images of a seller, searched, filtered and sorted. */
export async function libraryListRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  app.get(
    paths.library,
    {
      onRequest: app.requireSession,
      config: { revalidated: true },
      schema: {
        operationId: 'searchLibrary',
        tags: ['library'],
        summary: "Search the seller's images",
        description:
          '`q`: words in name, SKU or scene, each a beginning of one; upper case and accents make no difference. All ' +
          'conditions must hold. Continue until `nextCursor` is null: a page may have fewer images than `limit`, also none, ' +
          'although there are more.',
        querystring: libraryQuerySchema,
        response: { 200: generationListSchema, ...errorReplies(400, 401) },
      },
    },
    async ({ query, caller: { sellerId } }) => {
      const after = query.cursor === undefined ? undefined : decodePlace(query.cursor, query.sort);
      const { rows, next } = await readLibraryPage(db, sellerId, libraryRequest(query, after));
      return {
        generations: await generationViews(db, rows),
        nextCursor: next && encodePlace(next, query.sort),
      };
    },
  );
}
