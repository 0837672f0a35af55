import {
  beginTwoFactorSchema,
  codeOnlySchema,
  limits,
  paths,
  recoveryCodesSchema,
  twoFactorSetupSchema,
} from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import {
  addAuthenticatorApp,
  saveTwoFactorSetup,
  turnTwoFactorOn,
} from '#shared/data/accounts/two-factor.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { confirmSession } from '#shared/data/sessions.ts';
import { findUser, type UserRow } from '#shared/data/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSeal } from '#shared/platform/seal.ts';
import { assertNoApp } from './assert-state.ts';
import type { TwoFactorRouteOptions } from './routes.ts';
import { newRecoveryCodes, newSecret, otpauthUri, refusedCodeOf, stepOf } from './two-factor.ts';

/** How long a secret waits for its first code, in ms. */
const setupMs = 15 * 60_000;

/** Adds an authenticator app: first a secret for it, then a code that shows that the app has it. */
export async function setupRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
  const { db, config } = context;
  const seal = createSeal(config.sealingSecrets);
  const limitSetups = createRateLimit(db, {
    name: 'two_factor_setups',
    points: limits.signInAttempts,
    seconds: limits.signInWindowSeconds,
  });

  app.post(
    paths.twoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary:
          'Begin to add an authenticator app: its secret; with a code where passkeys have turned two-factor on',
        body: beginTwoFactorSchema,
        response: { 200: twoFactorSetupSchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { password, code } = request.body;
      const user = await reauthenticate.password(request, password);
      if (await assertNoApp(db, user)) await reauthenticate.code(request, user, code);
      const secret = newSecret();
      await saveTwoFactorSetup(db, sellerId, seal.seal(secret, sellerId));
      return { secret, uri: otpauthUri(secret, user.email) };
    },
  );

  app.post(
    paths.confirmTwoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Add the app with its first code; all other sessions end',
        description: 'Recovery codes come with the first second factor.',
        body: codeOnlySchema,
        response: { 200: recoveryCodesSchema, ...errorReplies(400, 401, 403, 409, 429) },
      },
    },
    async (request) => {
      const { sellerId, sessionId } = request.caller;
      await limitSetups(sellerId);
      const { user, stored } = assertSetup(await findUser(db, sellerId));
      const hasPasskeys = await assertNoApp(db, user);
      const { code } = request.body;
      const secret = seal.open(stored, sellerId);
      const step = stepOf(secret, code);
      if (step === null) throw refusedCodeOf(secret, code, ['earlier', 'later']);
      const { codes, hashes } = hasPasskeys ? { codes: [], hashes: [] } : newRecoveryCodes();
      // Fails if another window confirmed this code first, or began again with another secret.
      const added = hasPasskeys
        ? await addAuthenticatorApp(db, sellerId, { stored, step })
        : await turnTwoFactorOn(db, sellerId, { stored, step, recoveryCodeHashes: hashes });
      if (!added) throw new AppError('CODE_INVALID');
      // Sessions from before gave no code. This one just did.
      await app.endSessions(sellerId, { except: sessionId });
      await confirmSession(db, sessionId, 'code');
      await recordActivity(db, sellerId, 'two-factor-on', request.from);
      await sendSecurityEmail(context, user, 'two-factor-on', { enabled: true, at: new Date() });
      return { recoveryCodes: codes };
    },
  );
}

/** @throws AppError TWO_FACTOR_OFF when no setup was begun, or too long ago */
function assertSetup(user: UserRow | null): { user: UserRow; stored: string } {
  const setup = user?.two_factor_setup;
  if (!user || !setup || setup.at.getTime() < Date.now() - setupMs) {
    throw new AppError('TWO_FACTOR_OFF', {
      message: 'Setting up two-factor sign-in took too long. Please begin again.',
    });
  }
  return { user, stored: setup.secret };
}
