import { z } from 'zod';
import {
  addedPasskeySchema,
  addPasskeySchema,
  beginPasskeySchema,
  factorListSchema,
  limits,
  passkeyCreationOptionsSchema,
  passkeyViewSchema,
  passwordAndCodeSchema,
  paths,
  renamePasskeySchema,
} from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { hasTwoFactor, newRecoveryCodes } from '#server/accounts/two-factor/two-factor.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { issueChallenge } from '#shared/data/accounts/passkey-challenges.ts';
import { addFirstPasskey, addPasskey, passkeyUserOf, renamePasskey } from '#shared/data/accounts/passkeys.ts';
import { confirmSession } from '#shared/data/accounts/sessions.ts';
import { factorsOf, removeFactor, turnTwoFactorOff } from '#shared/data/accounts/two-factor.ts';
import { findUser, type PasskeyRow } from '#shared/data/accounts/users.ts';
import { newId } from '#shared/data/db.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { answeredChallenge } from './answered-challenge.ts';
import { ownerOfSession } from './challenge-owner.ts';
import { presentPasskey } from './present-passkey.ts';
import { relyingPartyOf } from './relying-party.ts';
import { creationOptions, verifyNewPasskey } from './verify.ts';

/** The passkeys of a signed-in seller. */
export async function passkeyRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db, config } = context;

  app.get(
    paths.passkeys,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listPasskeys',
        tags: ['account'],
        summary: 'What the account has besides its password',
        response: { 200: factorListSchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { user, on } = await findAccount(request.caller.sellerId);
      const { app: hasApp, passkeys } = on ? factorsOf(user) : { app: false, passkeys: [] };
      return { app: hasApp, passkeys: passkeys.toReversed().map(presentPasskey) };
    },
  );

  app.post(
    paths.beginPasskey,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'beginPasskey',
        tags: ['account'],
        summary: 'Begin to add a passkey, with a code where two-factor sign-in is on',
        body: beginPasskeySchema,
        response: { 200: passkeyCreationOptionsSchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      const { password, code } = request.body;
      await reauthenticate.password(request, password);
      const { user, profile, on } = await findAccount(sellerId);
      if (on) await reauthenticate.code(request, user, code);
      // What turning it off has left behind, if the process died then.
      else if (user.two_factor) await turnTwoFactorOff(db, sellerId);
      const passkeys = on ? factorsOf(user).passkeys : [];
      if (passkeys.length >= limits.passkeys) throw new AppError('PASSKEY_LIMIT');
      const challenge = await issueChallenge(db, 'add', challengeOwner(sessionId, on));
      const userHandle = await passkeyUserOf(db, user);
      const about = { userHandle, email: user.email, fullName: profile.full_name, passkeys };
      return creationOptions(relyingPartyOf(request, config), challenge, about);
    },
  );

  app.post(
    paths.passkeys,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'addPasskey',
        tags: ['account'],
        summary: 'Add a passkey; all other sessions end',
        description:
          'If it is the first second factor, two-factor sign-in is on from now on, and the reply has recovery codes.',
        body: addPasskeySchema,
        response: { 201: addedPasskeySchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      const { name = request.from.device, credential } = request.body;
      const { user, on } = await findAccount(sellerId);
      const owner = challengeOwner(sessionId, on);
      const challenge = await answeredChallenge(db, 'add', owner, credential.response.clientDataJSON);
      const site = relyingPartyOf(request, config);
      const checked = challenge === null ? null : await verifyNewPasskey(site, challenge, credential);
      if (!checked) throw new AppError('PASSKEY_NOT_ADDED');
      const at = new Date();
      const passkey: PasskeyRow = { id: newId(), ...checked, name, created_at: at, last_used_at: null };
      const { codes, hashes } = on ? { codes: [], hashes: [] } : newRecoveryCodes();
      const added = on
        ? await addPasskey(db, sellerId, passkey)
        : await addFirstPasskey(db, sellerId, passkey, hashes);
      if (!added) throw new AppError('PASSKEY_NOT_ADDED');
      // Others may be of somebody who would not have been let in with it.
      await app.endSessions(sellerId, { except: sessionId });
      await confirmSession(db, sessionId, 'passkey');
      await recordActivity(db, sellerId, 'passkey-added', request.from);
      await sendSecurityEmail(context, user, 'passkey-added', { name, at, first: !on, ...request.from });
      return reply.status(201).send({ passkey: presentPasskey(passkey), recoveryCodes: codes });
    },
  );

  const params = z.object({ id: z.string() });

  app.patch(
    paths.passkey(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'renamePasskey',
        tags: ['account'],
        summary: 'Rename a passkey',
        params,
        body: renamePasskeySchema,
        response: { 200: passkeyViewSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const passkey = await renamePasskey(db, sellerId, request.params.id, request.body.name);
      if (!passkey) throw new AppError('NOT_FOUND');
      return presentPasskey(passkey);
    },
  );

  app.delete(
    paths.passkey(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'removePasskey',
        tags: ['account'],
        summary: 'Remove a passkey; without another second factor two-factor sign-in is off',
        params,
        body: passwordAndCodeSchema,
        response: { 204: z.null(), ...errorReplies(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const { password, code } = request.body;
      await reauthenticate.password(request, password);
      const { user, on } = await findAccount(sellerId);
      const passkey = factorsOf(user).passkeys.find(({ id }) => id === request.params.id);
      if (!on || !passkey) throw new AppError('NOT_FOUND');
      await reauthenticate.code(request, user, code);
      const removed = await removeFactor(db, sellerId, { passkey: passkey.id });
      if (!removed) throw new AppError('NOT_FOUND');
      await recordActivity(db, sellerId, 'passkey-removed', request.from);
      const about = { name: passkey.name, at: new Date(), last: !removed.on };
      await sendSecurityEmail(context, user, 'passkey-removed', about);
      return reply.status(204).send(null);
    },
  );

  /** A challenge is void when two-factor sign-in is turned on or off after it: other proof was asked for. */
  function challengeOwner(sessionId: string, on: boolean): string {
    return `${ownerOfSession(sessionId)} ${on ? 'on' : 'off'}`;
  }

  async function findAccount(sellerId: string) {
    const [user, profile] = await Promise.all([findUser(db, sellerId), findProfile(db, sellerId)]);
    if (!user || !profile) throw new AppError('UNAUTHENTICATED');
    return { user, profile, on: hasTwoFactor(user, profile) };
  }
}
