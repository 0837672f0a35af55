import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionReply } from '#contract';
import { giveFreeImages } from '#server/accounts/free-images/free-images.ts';
import { presentMe } from '#server/accounts/present.ts';
import { createDeviceCookie } from '#server/accounts/sign-in/device-cookie.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { hasSecondFactor, type SessionFactor } from '#shared/data/accounts/sessions.ts';
import { recordSignIn } from '#shared/data/accounts/sign-in.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { findUser, type UserRow } from '#shared/data/accounts/users.ts';
import { countUnread } from '#shared/data/notifications.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Begins a session for an authenticated user, and records the sign-in and the browser. The user's address is confirmed, so
 * the first session brings the free images.
 * @param user as it was read for the authentication
 * @param given what was given, and whether the browser stays signed in
 * @returns null when the password was changed since, two-factor sign-in was turned on since, or the account is disabled or
 *   being deleted
 */
export async function beginSession(
  app: App,
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: Pick<UserRow, '_id' | 'email' | 'password_hash'>,
  { factors, staySignedIn }: { factors: SessionFactor[]; staySignedIn: boolean },
): Promise<SessionReply | null> {
  const { db, config } = context;
  let profile: ProfileRow | null = null;
  let account: UserRow | null = null;
  const session = await app.signIn(request, reply, user._id, { factors, staySignedIn }, async () => {
    account = await findUser(db, user._id);
    if (account?.password_hash !== user.password_hash) return false;
    profile = await recordSignIn(db, user);
    if (profile && hasTwoFactor(account, profile) && !hasSecondFactor({ factors })) profile = null;
    return profile !== null;
  });
  const settings = await findSettings(db, user._id);
  if (!session || !profile || !settings) return null;
  await createDeviceCookie(context).remember(request, reply, user._id, hasSecondFactor({ factors }));
  const current = await withFreeImages(app, context, request, profile);
  return {
    ...presentMe(current, account, settings, await countUnread(db, user._id), config),
    token: session.token,
    expiresAt: session.expiresAt.toISOString(),
  };
}

/** A seller who may have no free images must still be able to sign in: then they come with the next sign-in. */
async function withFreeImages(
  app: App,
  context: ServerContext,
  request: FastifyRequest,
  profile: ProfileRow,
): Promise<ProfileRow> {
  const takeFromNetwork = async () => {
    try {
      await app.limitNetwork('free-images')(request);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  };
  try {
    return await giveFreeImages(context, profile, takeFromNetwork);
  } catch (error) {
    context.log.error({ err: error, profile: profile._id }, 'free images were not granted');
    return profile;
  }
}
