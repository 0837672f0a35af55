import { z } from 'zod';
import {
  codeOnlySchema,
  limits,
  passwordAndCodeSchema,
  passwordOnlySchema,
  paths,
  recoveryCodesSchema,
  twoFactorSetupSchema,
} from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { AppError } from '#shared/platform/errors.ts';
import { newRecoveryCodes, newSecret, otpauthUri, stepOf } from './two-factor.ts';

/** How long a secret waits for its first code, in ms. */
const setupMs = 15 * 60_000;

/** Sign-in by password and a code from an authenticator app: on, off, and the codes for a lost phone. */
export async function twoFactorRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db } = context;
  const limitSetups = createRateLimit(db, {
    name: 'two_factor_setups',
    points: limits.signInAttempts,
    seconds: limits.signInWindowSeconds,
  });

  /** @throws Refusal when two-factor sign-in is not as it must be */
  async function require(sellerId: string, on: boolean): Promise<void> {
    const profile = await db.profiles.findById(sellerId).select({ two_factor_enabled: 1 }).lean();
    if (!profile) throw new AppError('UNAUTHENTICATED');
    if (profile.two_factor_enabled !== on) throw new AppError(on ? 'TWO_FACTOR_OFF' : 'TWO_FACTOR_ON');
  }

  app.post(
    paths.twoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Begin two-factor sign-in: a secret for an authenticator app',
        body: passwordOnlySchema,
        response: { 200: twoFactorSetupSchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const user = await reauthenticate.password(sellerId, request.body.password);
      await require(sellerId, false);
      const secret = newSecret();
      await db.users.updateOne({ _id: sellerId }, { $set: { two_factor_setup: { secret, at: new Date() } } });
      return { secret, uri: otpauthUri(secret, user.email) };
    },
  );

  app.post(
    paths.confirmTwoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Turn two-factor sign-in on with the first code',
        body: codeOnlySchema,
        response: { 200: recoveryCodesSchema, ...errorReplies(400, 401, 403, 409, 429) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      await limitSetups(sellerId);
      await require(sellerId, false);
      const user = await db.users.findById(sellerId).lean();
      const setup = user?.two_factor_setup;
      if (!user || !setup || setup.at.getTime() < Date.now() - setupMs) {
        throw new AppError('TWO_FACTOR_OFF', {
          message: 'Setting up two-factor sign-in took too long. Please begin again.',
        });
      }
      const step = stepOf(setup.secret, request.body.code);
      if (step === null) throw new AppError('CODE_INVALID');
      const { codes, hashes } = newRecoveryCodes();
      const confirmed = await db.users.updateOne(
        { _id: sellerId, 'two_factor_setup.secret': setup.secret },
        {
          $set: {
            two_factor: { secret: setup.secret, last_step: step, recovery_codes: hashes, since: new Date() },
            two_factor_setup: null,
          },
        },
      );
      // Another window was faster, with this code or with another secret.
      if (confirmed.matchedCount === 0) throw new AppError('CODE_INVALID');
      await setEnabled(sellerId, true);
      await recordActivity(db, sellerId, 'two-factor-on', request.from);
      await sendSecurityEmail(context, user, 'twoFactorChanged', { enabled: true, at: new Date() });
      return { recoveryCodes: codes };
    },
  );

  app.delete(
    paths.twoFactor,
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Turn two-factor sign-in off, with a code or a recovery code',
        body: passwordAndCodeSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const user = await reauthenticate.password(sellerId, request.body.password);
      await require(sellerId, true);
      await reauthenticate.code(user, request.body.code);
      // The profile decides; the secret goes after it, so that nobody is ever asked for codes of none.
      await setEnabled(sellerId, false);
      await db.users.updateOne({ _id: sellerId }, { $set: { two_factor: null } });
      await recordActivity(db, sellerId, 'two-factor-off', request.from);
      await sendSecurityEmail(context, user, 'twoFactorChanged', { enabled: false, at: new Date() });
      return reply.status(204).send(null);
    },
  );

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
      const user = await reauthenticate.password(sellerId, request.body.password);
      await require(sellerId, true);
      await reauthenticate.code(user, request.body.code);
      const { codes, hashes } = newRecoveryCodes();
      const made = await db.users.updateOne(
        { _id: sellerId, two_factor: { $ne: null } },
        { $set: { 'two_factor.recovery_codes': hashes } },
      );
      if (made.matchedCount === 0) throw new AppError('TWO_FACTOR_OFF');
      await recordActivity(db, sellerId, 'recovery-codes-made', request.from);
      await sendSecurityEmail(context, user, 'recoveryCodesMade', { at: new Date() });
      return { recoveryCodes: codes };
    },
  );

  async function setEnabled(sellerId: string, enabled: boolean): Promise<void> {
    await db.profiles.updateOne(
      { _id: sellerId },
      { $set: { two_factor_enabled: enabled, updated_at: new Date() } },
    );
  }
}
