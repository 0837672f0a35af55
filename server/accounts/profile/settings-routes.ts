import { changeSettingsSchema, guardedSettings, paths, type Settings, settingsSchema } from '#contract';
import { presentSettings } from '#server/accounts/present.ts';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail, type ToldChange } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { changeSettings } from '#shared/data/accounts/change-settings.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/** Days after which a password must be changed; where it never must, more than any number. */
const passwordDays = ({ passwordExpiryDays: days, passwordChangeForced: forced }: Settings) =>
  days === 0 || !forced ? Number.POSITIVE_INFINITY : days;

/** Changes that make the account less safe, of which its owner is told by mail. */
const weakenings = {
  'security-emails-off': (before, after) => before.securityNotifications && !after.securityNotifications,
  'activity-log-off': (before, after) => before.activityLogging && !after.activityLogging,
  'idle-sessions-longer': (before, after) => before.sessionTimeoutMinutes < after.sessionTimeoutMinutes,
  'password-expiry-later': (before, after) => passwordDays(before) < passwordDays(after),
} as const satisfies Partial<Record<ToldChange, (before: Settings, after: Settings) => boolean>>;
const weakeningNames = Object.keys(weakenings) as (keyof typeof weakenings)[];

/** The seller's settings. */
export async function settingsRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db } = context;

  /** @throws AppError UNAUTHENTICATED when there is no such account any more */
  async function current(sellerId: string): Promise<Settings> {
    const settings = await findSettings(db, sellerId);
    if (!settings) throw new AppError('UNAUTHENTICATED');
    return presentSettings(settings);
  }

  app.get(
    paths.settings,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'getSettings',
        tags: ['account'],
        summary: 'The settings',
        response: { 200: settingsSchema, ...errorReplies(401) },
      },
    },
    (request) => current(request.caller.sellerId),
  );

  app.patch(
    paths.settings,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'changeSettings',
        tags: ['account'],
        summary: 'Change some settings',
        description:
          'A new `sessionTimeoutMinutes` counts for open sessions as well, but those that stay signed in; `activityLogging: false` empties the log. Turning ' +
          '`securityNotifications` or `activityLogging` off takes the password. A mail tells of that, and of a longer ' +
          '`sessionTimeoutMinutes`, and when a password must be changed later or no longer.',
        body: changeSettingsSchema,
        response: { 200: settingsSchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { password, ...change } = request.body;
      const before = await current(sellerId);
      if (guardedSettings.some((name) => change[name] === false && before[name])) {
        if (password === undefined) {
          throw new AppError('PASSWORD_REQUIRED', { message: 'Please enter your password.' });
        }
        await reauthenticate.password(request, password);
      }
      const settings = await changeSettings(db, sellerId, change);
      const user = await findUser(db, sellerId);
      if (!settings || !user) throw new AppError('UNAUTHENTICATED');
      await recordActivity(db, sellerId, 'settings-changed', request.from);
      const after = presentSettings(settings);
      for (const weakening of weakeningNames.filter((name) => weakenings[name](before, after))) {
        const details = { change: weakening, at: new Date(), ...request.from };
        await sendSecurityEmail(context, user, weakening, details);
      }
      return after;
    },
  );
}
