import { linkAddressSchema, paths, tokenOnlySchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findLink } from '#shared/data/accounts/account-tokens.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { AppError } from '#shared/platform/errors.ts';

/**
 * Tells a page that a link in a mail opened to which address that mail was sent: password managers need it beside a password.
 * It is never another address of the account.
 */
export async function linkAddressRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.post(
    paths.linkAddress,
    {
      onRequest: app.limitNetwork('sign-in'),
      schema: {
        operationId: 'getLinkAddress',
        tags: ['account'],
        summary: 'To which address the mail with a link was sent',
        description: 'Does not use the link.',
        body: tokenOnlySchema,
        response: { 200: linkAddressSchema, ...errorReplies(400, 403, 429) },
      },
    },
    async (request) => {
      const link = await findLink(db, request.body.token);
      const email = link && (link.email ?? (await findUser(db, link.user_id))?.email);
      if (!email) throw new AppError('TOKEN_INVALID');
      return { email };
    },
  );
}
