import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { recordBounce } from '#shared/mail/bounces.ts';
import { AppError } from '#shared/platform/errors.ts';
import { mailReportsSchema, readReports } from './reports.ts';

/** Room for a request with as many reports as it may have. */
const bodyBytes = 2 * 1024 * 1024;

/**
 * The webhook that the mail provider calls when a mail comes back later, or is reported as spam. Off without
 * `MAIL_WEBHOOK_SECRET`. A repeated report changes nothing.
 */
export async function mailWebhookRoutes(app: App, { context }: { context: ServerContext }) {
  const { config, log, db } = context;

  app.post(
    paths.mailWebhook,
    {
      bodyLimit: bodyBytes,
      onRequest: async ({ headers }) => {
        const { webhookSecret } = config.mail;
        if (webhookSecret === undefined) throw new AppError('NOT_FOUND');
        const given = secretIn(headers.authorization ?? '');
        if (given === null || !isSame(given, webhookSecret)) throw new AppError('UNAUTHENTICATED');
      },
      schema: {
        operationId: 'receiveMailReports',
        tags: ['webhooks'],
        security: [{ mailBearer: [] }, { mailBasic: [] }],
        summary: 'Bounces and complaints, from the mail provider',
        description:
          'In our own shape, or in that of Postmark. Takes MAIL_WEBHOOK_SECRET, as a bearer token or as a password.',
        body: mailReportsSchema,
        response: { 200: z.object({ recorded: z.number().int() }), ...errorReplies(400, 401, 403, 404, 413) },
      },
    },
    async (request) => {
      let recorded = 0;
      for (const { address, outcome } of readReports(request.body)) {
        if (!outcome) continue;
        await recordBounce({ db, log }, address, { ...outcome, source: 'provider' });
        recorded += 1;
      }
      return { recorded };
    },
  );
}

/** The secret in an `Authorization` header: a bearer token, or the password of basic authentication, which URLs can have. */
function secretIn(authorization: string): string | null {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return null;
  return Buffer.from(value, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}

/** Compares in a time that does not depend on where two secrets differ. */
function isSame(one: string, other: string): boolean {
  const hash = (secret: string) => createHash('sha256').update(secret).digest();
  return timingSafeEqual(hash(one), hash(other));
}
