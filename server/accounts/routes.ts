import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { deletionRoutes } from './deletion/routes.ts';
import { emailRoutes } from './email/routes.ts';
import { exportRoutes } from './export/routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { activityRoutes } from './profile/activity-routes.ts';
import { protectionRoutes } from './profile/protection-routes.ts';
import { meRoutes } from './profile/routes.ts';
import { settingsRoutes } from './profile/settings-routes.ts';
import { createReauthentication } from './reauthenticate.ts';
import { confirmationRoutes } from './sessions/confirmation-routes.ts';
import { openSessionRoutes } from './sessions/routes.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';

/** The routes with which signed-in sellers manage their account. */
export async function accountRoutes(
  app: App,
  { context, downloads }: { context: ServerContext; downloads: Slots },
) {
  const reauthenticate = createReauthentication(app, context);
  await meRoutes(app, { context });
  await passwordRoutes(app, { context, reauthenticate });
  await emailRoutes(app, { context, reauthenticate });
  await twoFactorRoutes(app, { context, reauthenticate });
  await apiKeyRoutes(app, { context, reauthenticate });
  await passkeyRoutes(app, { context, reauthenticate });
  await openSessionRoutes(app, { context });
  await settingsRoutes(app, { context, reauthenticate });
  await protectionRoutes(app, { context });
  await confirmationRoutes(app, { context, reauthenticate });
  await activityRoutes(app, { context });
  await exportRoutes(app, { context, downloads, reauthenticate });
  await deletionRoutes(app, { context, reauthenticate });
}
