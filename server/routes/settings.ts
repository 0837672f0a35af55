import { changeSettingsSchema, paths, settingsSchema } from '../../shared/contract/index.ts';
import { noteActivity } from '../../shared/data/activities.ts';
import { changeSettings, findSettings } from '../../shared/data/settings.ts';
import { Refusal } from '../../shared/errors.ts';
import { presentSettings } from '../../shared/present.ts';
import type { App } from '../app.ts';
import type { ServerContext } from '../context.ts';
import { refusalReplies } from '../replies.ts';

/** The seller's settings. */
export async function settingsRoutes(app: App, { context }: { context: ServerContext }) {
  const { data } = context;

  app.get(
    paths.settings,
    {
      onRequest: app.requireSession,
      schema: { summary: 'The settings', response: { 200: settingsSchema, ...refusalReplies(401) } },
    },
    async (request) => {
      const settings = await findSettings(data, request.caller.userId);
      if (!settings) throw new Refusal('UNAUTHENTICATED');
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
        response: { 200: settingsSchema, ...refusalReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { userId } = request.caller;
      const settings = await changeSettings(data, userId, request.body);
      if (!settings) throw new Refusal('UNAUTHENTICATED');
      await noteActivity(data, userId, 'settings-changed', request.from);
      return presentSettings(settings);
    },
  );
}
