import { creditEntryListSchema, pageQuerySchema, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { ledgerPage } from './ledger-page.ts';

/** The route of the ledger: images granted, used, released, forfeited, taken back and reinstated. */
export async function creditEntryRoutes(app: App, { context }: { context: ServerContext }) {
  app.get(
    paths.creditEntries,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listCreditEntries',
        tags: ['billing'],
        summary: "The seller's ledger, newest first",
        querystring: pageQuerySchema,
        response: { 200: creditEntryListSchema, ...errorReplies(400, 401) },
      },
    },
    (request) => ledgerPage(context.db, request.caller.sellerId, request.query),
  );
}
