import type { FastifyReply, FastifyRequest } from 'fastify';
import { pages } from '#contract';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { createDeviceCookie } from '#server/accounts/sign-in/device-cookie.ts';
import { createLockOut } from '#server/accounts/sign-in/lock-out.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { revokeLinks } from '#shared/data/accounts/account-tokens.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { removeApiKeysSince } from '#shared/data/accounts/api-keys.ts';
import { forgetDevices, youngFactorsSince } from '#shared/data/accounts/sign-in.ts';
import type { UserRow } from '#shared/data/accounts/users.ts';
import { setLocked } from '#shared/data/profiles/find.ts';
import { testSellerOf } from '#shared/data/test-seller.ts';
import { removeWebhooksSince } from '#shared/data/webhooks/endpoints.ts';

/** A change of a password. */
export interface PasswordChange {
  sellerId: string;
  /** Writes the password. @returns the user after the write, or null when its condition no longer holds */
  set: () => Promise<UserRow | null>;
  /** The line of the activity log. */
  activity: 'password-changed' | 'password-reset' | 'email-change-undone';
  /** The session to keep: the one in which the owner has just entered the old password. */
  keepSession?: string;
}

/**
 * Creates a function that changes a password and ends everything that depends on the old one: sessions, links in mails,
 * locks after wrong passwords, known devices, and, where the password was lost, API keys that are younger than
 * `limits.youngFactorDays`. The owner gets a mail.
 * @returns a function that returns what `set` returns
 */
export function createPasswordChange(app: App, context: ServerContext) {
  const { db, config } = context;
  const lockOut = createLockOut(db);
  const devices = createDeviceCookie(context);

  return async function renewPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    change: PasswordChange,
  ): Promise<UserRow | null> {
    const { sellerId, set, activity, keepSession } = change;
    const endSessions = () =>
      app.endSessions(sellerId, keepSession === undefined ? {} : { except: keepSession });
    // Before and after the write, so that no session survives if this process dies in between.
    await endSessions();
    const user = await set();
    if (!user) return null;
    await endSessions();
    await revokeLinks(db, sellerId);
    // Whoever has lost the password may have lost the account: a key or webhook that is as young may be the thief's.
    if (activity !== 'password-changed') {
      await removeApiKeysSince(db, sellerId, youngFactorsSince());
      for (const owner of [sellerId, testSellerOf(sellerId)]) {
        await removeWebhooksSince(db, owner, youngFactorsSince());
      }
    }
    // The browser that sets the password is the owner's; the other known devices may be a thief's.
    await forgetDevices(db, sellerId);
    await devices.remember(request, reply, sellerId);
    await lockOut.clearPasswords({ email: user.email, network: request.network, device: null });
    if (!(await lockOut.isLocked(user.email))) await setLocked(db, sellerId, false);
    await recordActivity(db, sellerId, activity, request.from);
    await sendSecurityEmail(context, user, activity, {
      at: user.password_changed_at,
      resetLink: config.linkUrl + pages.forgotPassword,
    });
    return user;
  };
}
