import { paths, protectionSchema } from '#contract';
import { presentUnreachable } from '#server/accounts/present.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { factorsOf } from '#shared/data/accounts/two-factor.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { findActiveProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { protectionOf } from './protection.ts';

/** How well the account is protected. */
export async function protectionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.get(
    paths.protection,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'getProtection',
        tags: ['account'],
        summary: 'How well the account is protected, and what would raise it',
        response: { 200: protectionSchema, ...errorReplies(401) },
      },
    },
    async ({ caller: { sellerId } }) => {
      const [user, profile, settings] = await Promise.all([
        findUser(db, sellerId),
        findActiveProfile(db, sellerId),
        findSettings(db, sellerId),
      ]);
      if (!user || !profile || !settings) throw new AppError('UNAUTHENTICATED');
      const on = hasTwoFactor(user, profile);
      const { app: hasApp, passkeys } = factorsOf(user);
      const facts = {
        level: profile.security_level,
        app: on && hasApp,
        passkeys: on ? passkeys.length : 0,
        recoveryCodes: on ? (user.two_factor?.recovery_codes.length ?? 0) : 0,
        reachable: profile.email_verified && presentUnreachable(profile) === null,
        securityEmails: settings.security_notifications,
        passwordChangedAt: user.password_changed_at,
      };
      return protectionOf(facts, new Date());
    },
  );
}
