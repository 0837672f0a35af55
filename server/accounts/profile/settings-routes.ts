import { changeSettingsSchema, paths, settingsSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { changeSettings, findSettings } from '#shared/data/user-settings.ts';
import { presentSettings } from '#shared/generations/present.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The seller's settings. */
export async function settingsRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.get(
    paths.settings,
    {
      onRequest: app.requireSession,
      schema: { summary: 'The settings', response: { 200: settingsSchema, ...errorReplies(401) } },
    },
    async (request) => {
      const settings = await findSettings(db, request.caller.sellerId);
      if (!settings) throw new AppError('UNAUTHENTICATED');
      return presentSettings(settings);
    },
  );

  app.patch(
    paths.settings,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Change some settings',
        description:
          'A new `sessionTimeoutMinutes` counts for open sessions as well; `activityLogging: false` empties the log.',
        body: changeSettingsSchema,
        response: { 200: settingsSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const settings = await changeSettings(db, sellerId, request.body);
      if (!settings) throw new AppError('UNAUTHENTICATED');
      await recordActivity(db, sellerId, 'settings-changed', request.from);
      return presentSettings(settings);
    },
  );
}
