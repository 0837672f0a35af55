import { v1BalanceSchema, v1Paths, v1UsagePath, v1UsageQuerySchema, v1UsageSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { type OpenApiDocument, partOfDocument } from '#server/plugins/openapi-document.ts';
import { usageForPrograms } from '#server/usage/usage.ts';
import { v1WebhookRoutes } from '#server/webhooks/routes.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentBalance } from '#shared/views/v1.ts';
import { v1AgainRoutes } from './again-routes.ts';
import { v1AssistantRoutes } from './assistant-routes.ts';
import { v1BatchActionRoutes } from './batch-action-routes.ts';
import { v1BatchRoutes } from './batch-routes.ts';
import { v1EventRoutes } from './event-routes.ts';
import { v1ExportRoutes } from './export-routes.ts';
import { v1GenerationRoutes } from './generation-routes.ts';
import { v1LibraryRoutes } from './library-routes.ts';
import type { V1Parts } from './parts.ts';

/** Version 1 of the API (docs/decisions/0135-the-api-for-programs.md). Register it in a scope of its own. */
export async function v1Routes(app: App, parts: V1Parts) {
  const { db, config } = parts.context;
  await v1GenerationRoutes(app, parts);
  await v1AgainRoutes(app, parts);
  await v1ExportRoutes(app, parts);
  await v1LibraryRoutes(app, parts);
  await v1AssistantRoutes(app);
  await v1WebhookRoutes(app, parts);
  await v1EventRoutes(app, parts);
  await v1BatchRoutes(app, parts);
  await v1BatchActionRoutes(app, parts);

  app.get(
    v1Paths.balance,
    {
      onRequest: app.requireKey('usage:read'),
      schema: {
        operationId: 'balance.get',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'How many images can be made now',
        response: { 200: v1BalanceSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const profile = await findProfile(db, request.caller.sellerId);
      if (!profile) throw new AppError('API_KEY_INVALID');
      return presentBalance(profile, config);
    },
  );

  app.get(
    v1UsagePath,
    {
      onRequest: app.requireKey('usage:read'),
      schema: {
        operationId: 'usage.get',
        tags: ['api'],
        requestHeaders: versionHeaders,
        summary: 'How many images were used, by day, project and API key',
        description:
          'By the day, in UTC, on which they were asked for: by default of the last 30 days. Images that were deleted since are ' +
          'counted; those that failed, were stopped for free or were made again at no charge are not.',
        querystring: v1UsageQuerySchema,
        response: { 200: v1UsageSchema, ...errorReplies(400, 401, 403, 429) },
      },
    },
    async ({ caller, query }) => usageForPrograms(db, caller.sellerId, query),
  );

  let document: string | undefined;
  app.get(
    v1Paths.document,
    { schema: { hide: true }, config: { openToOtherSites: 'documentation' } },
    async (_request, reply) => {
      document ??= JSON.stringify(partOfDocument(app.swagger() as OpenApiDocument, '/api/v1/'));
      return reply.type('application/json').send(document);
    },
  );
}
