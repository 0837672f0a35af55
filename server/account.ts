import type { App } from './app.ts';
import type { ServerContext } from './context.ts';
import { createReauthentication } from './reauthenticate.ts';
import { activityRoutes } from './routes/activity.ts';
import { deletionRoutes } from './routes/deletion.ts';
import { emailRoutes } from './routes/email.ts';
import { exportRoutes } from './routes/export.ts';
import { meRoutes } from './routes/me.ts';
import { passwordRoutes } from './routes/password.ts';
import { openSessionRoutes } from './routes/sessions.ts';
import { settingsRoutes } from './routes/settings.ts';
import { twoFactorRoutes } from './routes/two-factor.ts';

/** Everything that a signed-in seller can do with the account. */
export async function accountRoutes(app: App, { context }: { context: ServerContext }) {
  const reauthenticate = createReauthentication(context);
  await meRoutes(app, { context });
  await passwordRoutes(app, { context, reauthenticate });
  await emailRoutes(app, { context, reauthenticate });
  await twoFactorRoutes(app, { context, reauthenticate });
  await openSessionRoutes(app, { context });
  await settingsRoutes(app, { context });
  await activityRoutes(app, { context });
  await exportRoutes(app, { context });
  await deletionRoutes(app, { context, reauthenticate });
}
