import { usagePaths, usageSchema, v1UsageQuerySchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { sendCsv } from '#server/http/csv.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { usageForPage, usageTable } from './usage.ts';

/** The images that a seller used, by day, project and API key, for the web app. */
export async function usageRoutes(app: App, { context: { db } }: { context: ServerContext }) {
  app.get(
    usagePaths.usage,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'getUsage',
        tags: ['billing'],
        summary: 'How many images were used, by day, project and API key',
        description: 'By the day, in UTC, on which they were asked for: by default of the last 30 days.',
        querystring: v1UsageQuerySchema,
        response: { 200: usageSchema, ...errorReplies(400, 401) },
      },
    },
    ({ caller, query }) => usageForPage(db, caller.sellerId, query),
  );

  app.get(
    usagePaths.csv,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadUsage',
        tags: ['billing'],
        summary: 'How many images were used, as CSV',
        querystring: v1UsageQuerySchema,
        response: { 200: fileReply('The CSV', 'text/csv'), ...errorReplies(400, 401) },
      },
    },
    async ({ caller, query }, reply) =>
      sendCsv(
        reply,
        `packshot-usage-${query.from}-to-${query.to}.csv`,
        await usageTable(db, caller.sellerId, query),
      ),
  );
}
