import { z } from 'zod';
import {
  apiKeyListSchema,
  apiKeyPaths,
  apiScopes,
  createApiKeySchema,
  createdApiKeySchema,
  pages,
  v1Versions,
} from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import { hashKey, newKey } from '#server/auth/key-format.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { insertApiKey, listApiKeys, removeApiKey } from '#shared/data/accounts/api-keys.ts';
import { findSession } from '#shared/data/accounts/sessions.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentApiKey } from './present-api-key.ts';

/** Characters of a key that are kept to tell it from others. */
const hintCharacters = 4;

/** The API keys of a signed-in seller (docs/decisions/0134-a-caller-has-a-principal.md). */
export async function apiKeyRoutes(
  app: App,
  { context, reauthenticate }: { context: ServerContext; reauthenticate: Reauthentication },
) {
  const { db } = context;

  app.get(
    apiKeyPaths.apiKeys,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'listApiKeys',
        tags: ['account'],
        summary: "The seller's API keys, without the keys themselves",
        response: { 200: apiKeyListSchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const rows = await listApiKeys(db, request.caller.sellerId);
      return { apiKeys: rows.map(presentApiKey) };
    },
  );

  app.post(
    apiKeyPaths.apiKeys,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'createApiKey',
        tags: ['account'],
        summary: 'Make an API key, which only this reply shows',
        description:
          'The password is asked for, and a code where two-factor sign-in is on. A mail tells the owner.',
        body: createApiKeySchema,
        response: { 201: createdApiKeySchema, ...errorReplies(400, 401, 403, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const { password, code, name, mode, scopes, days, networks } = request.body;
      const user = await reauthenticate.password(request, password);
      const profile = await findProfile(db, sellerId);
      if (!profile) throw new AppError('UNAUTHENTICATED');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(request, user, code);
      const key = newKey(mode);
      const at = new Date();
      const row = await insertApiKey(db, sellerId, {
        name,
        ...(mode === 'test' && { test: true }),
        hash: hashKey(key),
        hint: key.slice(-hintCharacters),
        scopes: [...new Set(scopes)],
        networks: [...new Set(networks)],
        created_at: at,
        version: v1Versions.at(-1)!,
        expires_at: days === null ? null : new Date(at.getTime() + days * 86_400_000),
      });
      if (!row) throw new AppError('API_KEY_LIMIT');
      // What resets the password or deletes the account ends the sessions first, and then removes keys: one of them sees the other.
      if (!(await findSession(db, sessionIdOf(request.caller)))) {
        await removeApiKey(db, sellerId, row._id);
        throw new AppError('UNAUTHENTICATED');
      }
      await recordActivity(db, sellerId, 'api-key-made', request.from);
      const may = row.scopes.map((scope) => apiScopes[scope]);
      await sendSecurityEmail(context, user, 'api-key-made', {
        name,
        may,
        at,
        ...request.from,
        apiKeysLink: context.config.linkUrl + pages.apiKeys,
      });
      return reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({ key, apiKey: presentApiKey(row) });
    },
  );

  app.delete(
    apiKeyPaths.apiKey(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'revokeApiKey',
        tags: ['account'],
        summary: 'Revoke an API key; it stops working at once',
        params: z.object({ id: z.string() }),
        response: { 204: z.null(), ...errorReplies(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      if (!(await removeApiKey(db, sellerId, request.params.id))) throw new AppError('NOT_FOUND');
      await recordActivity(db, sellerId, 'api-key-revoked', request.from);
      return reply.status(204).send(null);
    },
  );
}
