import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { errorDefinitions, type PasskeySignIn, pages, type SessionReply, type signInSchema } from '#contract';
import { padResponseTime } from '#server/accounts/pad-response-time.ts';
import { answeredChallenge } from '#server/accounts/passkeys/answered-challenge.ts';
import { createChallengeOwner } from '#server/accounts/passkeys/challenge-owner.ts';
import { relyingPartyOf } from '#server/accounts/passkeys/relying-party.ts';
import { verifyPasskey } from '#server/accounts/passkeys/verify.ts';
import { createPasswordChange } from '#server/accounts/passwords/change-password.ts';
import {
  assertUncommonPassword,
  hashPassword,
  isSamePassword,
} from '#server/accounts/passwords/passwords.ts';
import { beginSession } from '#server/accounts/sessions/begin-session.ts';
import { codeRequired } from '#server/accounts/two-factor/code-required.ts';
import { hasTwoFactor, refusedCode } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import type { Origin } from '#server/http/device.ts';
import { keepTwoFactor } from '#shared/accounts/remove-two-factor.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findUserByPasskey } from '#shared/data/accounts/passkeys.ts';
import { isPasswordExpired } from '#shared/data/accounts/password-age.ts';
import type { SessionFactor } from '#shared/data/accounts/sessions.ts';
import { findSettings, type UserSettingsRow } from '#shared/data/accounts/user-settings.ts';
import { findUserByEmail, setPassword, type UserRow } from '#shared/data/accounts/users.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import { dateLabel } from '#shared/mail/labels.ts';
import { enqueueMail } from '#shared/mail/outbox.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createSignInGuard, type SignInAttempt } from './sign-in-guard.ts';

type Details = z.output<typeof signInSchema>;

interface Account {
  user: UserRow;
  profile: ProfileRow;
  settings: UserSettingsRow;
}

/** What was given, and what follows from it. */
interface Given {
  request: FastifyRequest;
  reply: FastifyReply;
  attempt: SignInAttempt;
  factors: SessionFactor[];
  staySignedIn: boolean;
}

/**
 * Creates the functions that sign in, with a password or with a passkey. Until one of them is verified, neither the answer
 * nor its response time depends on whether there is an account.
 * @returns functions that throw AppError, or return null when the password was changed concurrently
 */
export function createSignIn(app: App, context: ServerContext) {
  const { db, relay, config } = context;
  const guard = createSignInGuard(context);
  const renewPassword = createPasswordChange(app, context);

  const owners = createChallengeOwner(app, context);
  return { withPassword, withPasskey };

  async function withPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    details: Details,
  ): Promise<SessionReply | null> {
    const { email, password, code } = details;
    const found = await findUserByEmail(db, email);
    const attempt = await guard.admit(request, email, found);
    const account = found && (await findAccount(found));
    const correct = await attempt.password(account?.user ?? null, password);
    if (!account || !correct) throw await padded(reply, new AppError('BAD_CREDENTIALS'));

    // The password is correct: from here on answers may tell about the account.
    assertMaySignIn(account);
    const twoFactor = hasTwoFactor(account.user, account.profile);
    if (twoFactor && code === undefined) throw codeRequired(account.user);
    const isExpired = isPasswordExpired(account.user, account.settings, new Date());
    const newPassword = isExpired ? checkNewPassword(details) : undefined;
    // A code works once, so it is used up after everything else has been checked.
    const used = twoFactor ? await attempt.code(account.user, code!) : null;
    if (twoFactor && !used) throw await padded(reply, refusedCode(context, account.user, code!));

    const user =
      newPassword === undefined ? account.user : await replaceExpired(account, newPassword, request, reply);
    const factors: SessionFactor[] = used ? ['password', used] : ['password'];
    const { staySignedIn = false } = details;
    return user && complete({ ...account, user }, { request, reply, attempt, factors, staySignedIn });
  }

  /** A passkey asks who holds it, so it stands for the password and the second factor. */
  async function withPasskey(
    request: FastifyRequest,
    reply: FastifyReply,
    { staySignedIn = false, ...assertion }: PasskeySignIn,
  ): Promise<SessionReply | null> {
    const { clientDataJSON } = assertion.response;
    const challenge = await answeredChallenge(db, 'use', await owners.of(request), clientDataJSON);
    const found = challenge === null ? null : await findUserByPasskey(db, assertion.id);
    if (challenge === null || !found) throw await padded(reply, new AppError('PASSKEY_REFUSED'));
    const attempt = await guard.admit(request, found.email, found);
    const account = await findAccount(found);
    const site = relyingPartyOf(request, config);
    const right = await attempt.passkey(() => verifyPasskey(context, site, challenge, found, assertion));
    if (!account || !right || !hasTwoFactor(found, account.profile)) {
      throw await padded(reply, new AppError('PASSKEY_REFUSED'));
    }
    assertMaySignIn(account);
    await keepTwoFactor(db, found._id, 'with a passkey');
    return complete(account, { request, reply, attempt, factors: ['passkey'], staySignedIn });
  }

  /** What follows every sign-in. @returns null when the password was changed since it was read */
  async function complete(
    account: Account,
    { request, reply, attempt, factors, staySignedIn }: Given,
  ): Promise<SessionReply | null> {
    const { user, profile, settings } = account;
    // Whoever sees other sellers' data is asked again, whatever was ticked.
    const stays = staySignedIn && profile.operator_since === undefined;
    const session = await beginSession(app, context, request, reply, user, { factors, staySignedIn: stays });
    if (!session) return null;
    await attempt.succeed();
    await recordActivity(db, user._id, 'signed-in', request.from);
    if (!attempt.knownDevice && settings.security_notifications) await mailNewSignIn(account, request.from);
    return session;
  }

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

  async function mailNewSignIn({ user, profile }: Account, from: Origin): Promise<void> {
    await enqueueMail(db, relay, 'newSignIn', user.email, {
      fullName: profile.full_name,
      at: new Date(),
      ...from,
      sessionsLink: `${config.linkUrl}${pages.security}#sessions`,
    });
  }
}

/** @returns the error, after a time that tells nothing */
async function padded(reply: FastifyReply, error: AppError): Promise<AppError> {
  await padResponseTime(reply);
  return error;
}

/** @throws AppError ACCOUNT_DISABLED or EMAIL_UNVERIFIED */
function assertMaySignIn({ user, profile }: Account): void {
  if (profile.disabled_at) throw new AppError('ACCOUNT_DISABLED', { message: disabledMessage(profile) });
  if (user.sign_up) throw new AppError('EMAIL_UNVERIFIED');
}

/** Says also when an operator ended the plan with the account. */
function disabledMessage({ billing_order: order }: ProfileRow): string {
  const [, message] = errorDefinitions.ACCOUNT_DISABLED;
  if (!order?.ends_at || order.kind === 'renew') return message;
  const ends = order.ends_at <= new Date() ? 'ended' : 'ends';
  return `${message} Your plan ${ends} on ${dateLabel(order.ends_at)}, and you will not be charged again.`;
}

/** @throws AppError PASSWORD_EXPIRED when no new password is given, PASSWORD_REUSED, PASSWORD_COMMON */
function checkNewPassword({ email, password, newPassword }: Details): string {
  if (newPassword === undefined) throw new AppError('PASSWORD_EXPIRED');
  if (isSamePassword(newPassword, password)) throw new AppError('PASSWORD_REUSED');
  assertUncommonPassword(newPassword, email);
  return newPassword;
}
