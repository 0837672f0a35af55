import { type CreditEntryView, creditEntryListSchema, pageQuerySchema, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { errorReplies } from '#server/http/replies.ts';
import { listCreditEntries } from '#shared/data/credit-entries.ts';
import { findGenerationsById } from '#shared/data/generations/find.ts';
import { presentCreditEntry } from '#shared/generations/present.ts';

/** The route of the ledger: images granted, used, released, forfeited, taken back and reinstated. */
export async function creditEntryRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  app.get(
    paths.creditEntries,
    {
      onRequest: app.requireSession,
      schema: {
        summary: "The seller's ledger, newest first",
        querystring: pageQuerySchema,
        response: { 200: creditEntryListSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : decodeCursor(cursor);
      const rows = await listCreditEntries(db, request.caller.sellerId, limit + 1, before);
      const page = rows.slice(0, limit);
      const ids = page.flatMap(({ period, key }) => (period ? [] : [key]));
      const generations = await findGenerationsById(db, ids);
      const last = page.at(-1);
      return {
        entries: page.map(
          (row): CreditEntryView =>
            presentCreditEntry(row, generations.find(({ _id }) => _id === row.key) ?? null),
        ),
        nextCursor: rows.length > limit && last ? encodeCursor({ created_at: last.at, _id: last._id }) : null,
      };
    },
  );
}
