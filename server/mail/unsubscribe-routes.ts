import { z } from 'zod';
import { pages, tokenOnlySchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { changeSettings } from '#shared/data/accounts/change-settings.ts';
import { settingThatTurnsOff } from '#shared/data/mail-kinds.ts';
import { readUnsubscription } from '#shared/mail/unsubscribe.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The form of a mailbox has one field. */
const bodyBytes = 10 * 1024;

/**
 * Turns mails of one kind off for one seller: by the button of a mailbox (RFC 8058), which knows no session, or by that of the page
 * at the same address. Opening the page changes nothing, because scanners of links open it too.
 */
export async function unsubscribeRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  // What the body says is known: `List-Unsubscribe=One-Click`, as a form of either kind, or nothing from our page.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytes }, async () => undefined);

  app.post(
    pages.unsubscribe,
    {
      bodyLimit: bodyBytes,
      config: { openToOtherSites: 'the token is what counts, and nothing of the session' },
      schema: {
        operationId: 'turnMailsOff',
        tags: ['notifications'],
        summary: 'Turn mails of one kind off',
        description:
          'The target of `List-Unsubscribe` in mails that a seller can turn off, with one click (RFC 8058). Repeating it changes nothing.',
        querystring: tokenOnlySchema,
        response: { 202: z.object({}), ...errorReplies(400, 413) },
      },
    },
    async (request, reply) => {
      const asked = await readUnsubscription(db, request.query.token);
      const setting = asked && settingThatTurnsOff(asked.kind);
      if (!asked || !setting) throw new AppError('TOKEN_INVALID');
      await changeSettings(db, asked.sellerId, { [setting]: false });
      return reply.status(202).send({});
    },
  );
}
