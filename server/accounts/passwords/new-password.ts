import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ActivityKind, pages } from '#contract';
import { createDeviceCookie } from '#server/accounts/sign-in/device-cookie.ts';
import { createLockOut } from '#server/accounts/sign-in/lock-out.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { revokeLinks } from '#shared/data/account-tokens.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { forgetDevices } from '#shared/data/known-devices.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { setLocked } from '#shared/data/profiles/update.ts';
import type { UserRow } from '#shared/data/users.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';

/** A password that takes the place of another. */
export interface NewPassword {
  sellerId: string;
  /** Writes it. @returns the user after it, or null when that is no longer right */
  set: () => Promise<UserRow | null>;
  /** What the activity log says of it. */
  activity: ActivityKind;
  /** The session that goes on: the one in which its owner has just entered the old password. */
  keepSession?: string;
}

/**
 * Makes what sets a new password, with all that follows from one. Nothing that was begun with the old one goes on: no
 * session, no link in a mail, no lock, no device that is known. The owner is told by mail in any case, also one who wants no other security mails:
 * whoever takes an account over could have turned them off.
 * @returns a function that gives what `set` gives
 */
export function createPasswordChange(app: App, context: ServerContext) {
  const { db, relay, config } = context;
  const lockOut = createLockOut(db);
  const devices = createDeviceCookie(context);

  return async function renewPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: NewPassword,
  ): Promise<UserRow | null> {
    const { sellerId, set, activity, keepSession } = wanted;
    const endSessions = () =>
      app.endSessions(sellerId, keepSession === undefined ? {} : { except: keepSession });
    // Before as well as after: whoever has the old password is out even if this process dies on the way.
    await endSessions();
    const user = await set();
    if (!user) return null;
    await endSessions();
    await revokeLinks(db, sellerId);
    // The browser that has set it is the owner's, whatever is still being tried elsewhere; another may be a thief's.
    await forgetDevices(db, sellerId);
    await devices.remember(request, reply, sellerId);
    await lockOut.clear({ email: user.email, network: request.network, device: null });
    await setLocked(db, sellerId, false);
    await recordActivity(db, sellerId, activity, request.from);
    const profile = await findProfile(db, sellerId);
    await enqueueMail(db, relay, 'passwordChanged', user.email, {
      fullName: profile?.full_name ?? '',
      at: user.password_changed_at,
      resetLink: config.linkUrl + pages.forgotPassword,
    });
    return user;
  };
}
