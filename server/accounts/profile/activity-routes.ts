import { activityListSchema, limits, paths } from '#contract';
import { presentActivity } from '#server/accounts/present.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { listActivities } from '#shared/data/accounts/activities.ts';

/** The seller's activity log. */
export async function activityRoutes(app: App, { context }: { context: ServerContext }) {
  app.get(
    paths.activity,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listActivities',
        tags: ['account'],
        summary: 'The activity log, newest first',
        description: `Goes back ${limits.activityDays} days; it is empty where the seller keeps none.`,
        response: { 200: activityListSchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const rows = await listActivities(context.db, request.caller.sellerId);
      return { activities: rows.map(presentActivity) };
    },
  );
}
