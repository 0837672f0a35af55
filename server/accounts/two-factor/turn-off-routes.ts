import { z } from 'zod';
import { passwordAndCodeSchema, paths } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import { errorReplies } from '#server/http/replies.ts';
import { removeFactor } from '#shared/data/accounts/two-factor.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { AppError } from '#shared/platform/errors.ts';
import { assertTwoFactorState } from './assert-state.ts';
import type { TwoFactorRouteOptions } from './routes.ts';

/** Removes the authenticator app, which turns two-factor sign-in off unless there are passkeys. */
export async function turnOffRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
  const { db } = context;

  app.delete(
    paths.twoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Remove the authenticator app; without passkeys two-factor sign-in is off',
        body: passwordAndCodeSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const user = await reauthenticate.password(request, request.body.password);
      await assertTwoFactorState(db, sellerId, 'on');
      await reauthenticate.code(request, user, request.body.code);
      const removed = await removeFactor(db, sellerId, 'app');
      if (!removed) throw new AppError('TWO_FACTOR_OFF');
      await recordActivity(db, sellerId, 'two-factor-off', request.from);
      const at = new Date();
      if (removed.on) {
        const about = { change: 'app-removed', at, ...request.from } as const;
        await sendSecurityEmail(context, user, 'app-removed', about);
      } else await sendSecurityEmail(context, user, 'two-factor-off', { enabled: false, at });
      return reply.status(204).send(null);
    },
  );
}
