import { z } from 'zod';
import {
  beginTwoFactorSchema,
  codeOnlySchema,
  limits,
  passwordAndCodeSchema,
  paths,
  recoveryCodesSchema,
  twoFactorSetupSchema,
} from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { confirmSession } from '#shared/data/accounts/sessions.ts';
import {
  addAuthenticatorApp,
  removeFactor,
  replaceRecoveryCodes,
  saveTwoFactorSetup,
  turnTwoFactorOn,
} from '#shared/data/accounts/two-factor.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSeal } from '#shared/platform/seal.ts';
import {
  assertNoApp,
  assertTwoFactorState,
  newRecoveryCodes,
  newSecret,
  otpauthUri,
  refusedCodeOf,
  stepOf,
} from './two-factor.ts';

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

/** Removes the authenticator app, which turns two-factor sign-in off unless there are passkeys. */
async function turnOffRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
  const { db } = context;

  app.delete(
    paths.twoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'removeAuthenticatorApp',
        tags: ['account'],
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

/** Replaces the recovery codes. Each can be used once instead of a code of the authenticator app. */
async function recoveryCodeRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
  const { db } = context;

  app.post(
    paths.recoveryCodes,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'createRecoveryCodes',
        tags: ['account'],
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

/** How long a secret waits for its first code, in ms. */
const setupMs = 15 * 60_000;

/** Adds an authenticator app: first a secret for it, then a code that shows that the app has it. */
async function setupRoutes(app: App, { context, reauthenticate }: TwoFactorRouteOptions) {
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
        operationId: 'beginAuthenticatorApp',
        tags: ['account'],
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
        operationId: 'addAuthenticatorApp',
        tags: ['account'],
        summary: 'Add the app with its first code; all other sessions end',
        description: 'Recovery codes come with the first second factor.',
        body: codeOnlySchema,
        response: { 200: recoveryCodesSchema, ...errorReplies(400, 401, 403, 409, 429) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
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
