import { passwordAndCodeSchema, paths, recoveryCodesSchema } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import { errorReplies } from '#server/http/replies.ts';
import { replaceRecoveryCodes } from '#shared/data/accounts/two-factor.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { AppError } from '#shared/platform/errors.ts';
import { assertTwoFactorState } from './assert-state.ts';
import type { TwoFactorRouteOptions } from './routes.ts';
import { newRecoveryCodes } from './two-factor.ts';

/** Replaces the recovery codes. Each can be used once instead of a code of the authenticator app. */
export async function recoveryCodeRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
  const { db } = context;

  app.post(
    paths.recoveryCodes,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'New recovery codes, with a code or a recovery code; the old ones are void',
        body: passwordAndCodeSchema,
        response: { 200: recoveryCodesSchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const user = await reauthenticate.password(request, request.body.password);
      await assertTwoFactorState(db, sellerId, 'on');
      await reauthenticate.code(request, user, request.body.code);
      const { codes, hashes } = newRecoveryCodes();
      if (!(await replaceRecoveryCodes(db, sellerId, hashes))) throw new AppError('TWO_FACTOR_OFF');
      await recordActivity(db, sellerId, 'recovery-codes-made', request.from);
      await sendSecurityEmail(context, user, 'recovery-codes-made', { at: new Date() });
      return { recoveryCodes: codes };
    },
  );
}
