import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { pages, type SessionReply, type signInSchema } from '#contract';
import { padResponseTime } from '#server/accounts/pad-response-time.ts';
import { createPasswordChange } from '#server/accounts/passwords/change-password.ts';
import { assertUncommonPassword, hashPassword } from '#server/accounts/passwords/passwords.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { beginSession } from '#server/accounts/sessions/begin-session.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { hasSignedInWith, recordActivity } from '#shared/data/activities.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { hasSessionWith, type SessionFactor } from '#shared/data/sessions.ts';
import type { UserSettingsRow } from '#shared/data/user-settings.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import type { UserRow } from '#shared/data/users.ts';
import { findUser, findUserByEmail, setPassword } from '#shared/data/users.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSignInGuard } from './sign-in-guard.ts';

type Details = z.output<typeof signInSchema>;

interface Account {
  user: UserRow;
  profile: ProfileRow;
  settings: UserSettingsRow;
}

/**
 * Creates the function that signs in. Until the password is verified, neither its answer nor its response time depends on
 * whether the address has an account.
 * @returns a function that throws AppError, or returns null when the password was changed concurrently
 */
export function createSignIn(app: App, context: ServerContext) {
  const { db, relay, config } = context;
  const guard = createSignInGuard(context);
  const renewPassword = createPasswordChange(app, context);

  return async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    details: Details,
  ): Promise<SessionReply | null> {
    const { email, password, code } = details;
    const found = await findUserByEmail(db, email);
    const attempt = await guard.admit(request, email, found);
    const account = found && (await findAccount(found));
    const refusal = async (code: 'BAD_CREDENTIALS' | 'CODE_INVALID') => {
      await padResponseTime(reply);
      return new AppError(code);
    };
    const correct = await attempt.password(account?.user ?? null, password);
    if (!account || !correct) throw await refusal('BAD_CREDENTIALS');

    // The password is correct: from here on answers may tell about the account.
    if (account.profile.disabled_at) throw new AppError('ACCOUNT_DISABLED');
    if (account.user.sign_up) throw new AppError('EMAIL_UNVERIFIED');
    const twoFactor = hasTwoFactor(account.user, account.profile);
    if (twoFactor && code === undefined) throw new AppError('CODE_REQUIRED');
    const newPassword = isPasswordExpired(account) ? checkNewPassword(details) : undefined;
    // A code works once, so it is used up after everything else has been checked.
    const used = twoFactor ? await attempt.code(account.user, code!) : null;
    if (twoFactor && !used) throw await refusal('CODE_INVALID');

    const user =
      newPassword === undefined ? account.user : await replaceExpired(account, newPassword, request, reply);
    const newDevice = user !== null && !(await isKnownDevice(user._id, request.from));
    const factors: SessionFactor[] = used ? ['password', used] : ['password'];
    const session = user && (await beginSession(app, context, request, reply, user, factors));
    if (!session) return null;
    await attempt.succeed();
    await recordActivity(db, account.user._id, 'signed-in', request.from);
    if (used === 'recovery') await recordRecovery(account, request.from);
    if (newDevice && account.settings.security_notifications) await mailNewSignIn(account, request.from);
    return session;
  };

  async function findAccount(user: UserRow): Promise<Account | null> {
    const [profile, settings] = await Promise.all([
      findActiveProfile(db, user._id),
      findSettings(db, user._id),
    ]);
    return profile && settings && { user, profile, settings };
  }

  /** Replaces an expired password. @returns null when it was changed since it was checked */
  async function replaceExpired(
    { user }: Account,
    newPassword: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<UserRow | null> {
    const passwordHash = await hashPassword(newPassword, request.network);
    return renewPassword(request, reply, {
      sellerId: user._id,
      activity: 'password-changed',
      set: () => setPassword(db, user, passwordHash),
    });
  }

  async function isKnownDevice(sellerId: string, { device }: Origin): Promise<boolean> {
    return (await hasSessionWith(db, sellerId, device)) || hasSignedInWith(db, sellerId, device);
  }

  async function recordRecovery({ user }: Account, from: Origin): Promise<void> {
    await recordActivity(db, user._id, 'recovery-code-used', from);
    const after = await findUser(db, user._id);
    const left = after?.two_factor?.recovery_codes.length ?? 0;
    await sendSecurityEmail(context, user, 'recoveryCodeUsed', { left });
  }

  async function mailNewSignIn({ user, profile }: Account, from: Origin): Promise<void> {
    await enqueueMail(db, relay, 'newSignIn', user.email, {
      fullName: profile.full_name,
      at: new Date(),
      ...from,
      sessionsLink: `${config.linkUrl}${pages.security}#sessions`,
    });
  }
}

function isPasswordExpired({ user, settings }: Account): boolean {
  const days = settings.password_expiry_days;
  return days > 0 && Date.now() - user.password_changed_at.getTime() > days * 86_400_000;
}

/** @throws AppError PASSWORD_EXPIRED when no new password is given, PASSWORD_REUSED, PASSWORD_COMMON */
function checkNewPassword({ email, password, newPassword }: Details): string {
  if (newPassword === undefined) throw new AppError('PASSWORD_EXPIRED');
  if (newPassword === password) throw new AppError('PASSWORD_REUSED');
  assertUncommonPassword(newPassword, email);
  return newPassword;
}
