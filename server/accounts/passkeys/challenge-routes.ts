import { passkeyAssertionSchema, passkeyCodeSchema, passkeyRequestOptionsSchema, paths } from '#contract';
import { padResponseTime } from '#server/accounts/pad-response-time.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { optionalSession } from '#server/http/documented.ts';
import { errorReplies } from '#server/http/replies.ts';
import { issueChallenge, issuePasskeyCode } from '#shared/data/accounts/passkey-challenges.ts';
import { findUserByPasskey } from '#shared/data/accounts/passkeys.ts';
import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { answeredChallenge } from './answered-challenge.ts';
import { createChallengeOwner } from './challenge-owner.ts';
import { relyingPartyOf } from './relying-party.ts';
import { requestOptions, verifyPasskey } from './verify.ts';

/** Challenges for passkeys, and the code that the answer of one gives. Both with or without a session. */
export async function passkeyChallengeRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, config } = context;
  const owners = createChallengeOwner(app, context);

  app.post(
    paths.passkeyChallenge,
    {
      onRequest: app.limitNetwork('passkey'),
      schema: {
        operationId: 'createPasskeyChallenge',
        tags: ['account'],
        security: optionalSession,
        summary: 'Something for a passkey to sign, once and within minutes',
        description:
          'In a session with the passkeys of the seller. Without one it says nothing about any account, and sets a cookie ' +
          'to which the challenge belongs.',
        response: { 200: passkeyRequestOptionsSchema, ...errorReplies(403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { owner, sellerId } = await owners.begin(request, reply);
      const challenge = await issueChallenge(db, 'use', owner);
      const user = sellerId === null ? null : await findUser(db, sellerId);
      const passkeys = user ? factorsOf(user).passkeys : [];
      return requestOptions(relyingPartyOf(request, config), challenge, passkeys);
    },
  );

  app.post(
    paths.passkeyCode,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'createPasskeyCode',
        tags: ['account'],
        security: optionalSession,
        summary: 'A code for a passkey',
        description:
          'It stands for the passkey wherever a two-factor code is asked for, once and for two minutes, so that every such ' +
          'place takes passkeys.',
        body: passkeyAssertionSchema,
        response: { 200: passkeyCodeSchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { id, response } = request.body;
      const challenge = await answeredChallenge(db, 'use', await owners.of(request), response.clientDataJSON);
      const user = challenge === null ? null : await findUserByPasskey(db, id);
      const profile = user && (await findActiveProfile(db, user._id));
      const site = relyingPartyOf(request, config);
      const right =
        challenge !== null &&
        user !== null &&
        profile !== null &&
        hasTwoFactor(user, profile) &&
        (await verifyPasskey(context, site, challenge, user, request.body));
      if (!right) {
        await padResponseTime(reply);
        throw new AppError('PASSKEY_REFUSED');
      }
      return { code: await issuePasskeyCode(db, user._id) };
    },
  );
}
