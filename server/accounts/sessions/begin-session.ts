import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionReply } from '#contract';
import { createDeviceCookie } from '#server/accounts/sign-in/device-cookie.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { recordSignIn } from '#shared/data/accounts/sign-in.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import type { UserRow } from '#shared/data/users.ts';
import { isPasswordUnchanged } from '#shared/data/users.ts';
import { presentMe } from '#shared/generations/present.ts';

/**
 * Begins a session for an authenticated user, and records the sign-in and the browser.
 * @param user as it was read for the authentication
 * @returns null when the password was changed since, or the account is disabled or being deleted
 */
export async function beginSession(
  app: App,
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: Pick<UserRow, '_id' | 'email' | 'password_hash'>,
): Promise<SessionReply | null> {
  const { db, config } = context;
  let profile: ProfileRow | null = null;
  const session = await app.signIn(request, reply, user._id, async () => {
    const unchanged = await isPasswordUnchanged(db, user);
    if (unchanged) profile = await recordSignIn(db, user);
    return profile !== null;
  });
  const settings = await findSettings(db, user._id);
  if (!session || !profile || !settings) return null;
  await createDeviceCookie(context).remember(request, reply, user._id);
  return {
    ...presentMe(profile, settings, config.image.provider),
    token: session.token,
    expiresAt: session.expiresAt.toISOString(),
  };
}
