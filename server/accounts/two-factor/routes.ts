import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { recoveryCodeRoutes } from './recovery-code-routes.ts';
import { setupRoutes } from './setup-routes.ts';
import { turnOffRoutes } from './turn-off-routes.ts';

/** What the routes of two-factor sign-in need. */
export interface TwoFactorRouteOptions {
  context: ServerContext;
  reauthenticate: Reauthentication;
}

/** Two-factor sign-in by password and a code from an authenticator app. */
export async function twoFactorRoutes(app: App, options: TwoFactorRouteOptions) {
  await setupRoutes(app, options);
  await recoveryCodeRoutes(app, options);
  await turnOffRoutes(app, options);
}
