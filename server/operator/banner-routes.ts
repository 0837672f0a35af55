import { operatorBannerSchema, operatorPaths, operatorReasonOnlySchema, setBannerSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findBanner, removeBanner, setBanner } from '#shared/data/operator/banners.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentBanner } from '#shared/views/banner.ts';
import { runLogged } from './run-logged.ts';

const target = { kind: 'banner', id: 'banner' } as const;

/** `2026-11-28 14:30` */
const dateAndTime = (moment: Date) => moment.toISOString().slice(0, 16).replace('T', ' ');

/** The message that sellers read on every page, and when no new images are accepted. */
export async function operatorBannerRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const current = async () => ({ banner: presentBanner(await findBanner(db)) });

  app.get(
    operatorPaths.banner,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getBanner',
        tags: ['operator'],
        summary: 'The banner that sellers see',
        response: { 200: operatorBannerSchema, ...errorReplies(401, 403) },
      },
    },
    current,
  );

  app.put(
    operatorPaths.banner,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'setBanner',
        tags: ['operator'],
        summary: 'Show a banner to sellers, in place of another one',
        body: setBannerSchema,
        response: { 200: operatorBannerSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ operator, body: { text, until, closedFrom, reason } }) => {
      const end = until === null ? null : new Date(until);
      const closing = closedFrom === null ? null : new Date(closedFrom);
      const details = [
        text,
        end && `until ${dateAndTime(end)} UTC`,
        closing && `no new images from ${dateAndTime(closing)} UTC`,
      ]
        .filter(Boolean)
        .join('; ');
      await runLogged(context, operator, { action: 'set-banner', target, reason, details }, async () => {
        if (end && end <= new Date()) {
          throw new AppError('VALIDATION', {
            field: 'until',
            message: 'Please choose a time in the future.',
          });
        }
        if (closing && (!end || closing >= end)) {
          throw new AppError('VALIDATION', {
            field: 'until',
            message: 'Please choose when new images are accepted again, after they are closed.',
          });
        }
        await setBanner(db, { text, until: end, closed_from: closing });
      });
      return current();
    },
  );

  app.delete(
    operatorPaths.banner,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'removeBanner',
        tags: ['operator'],
        summary: 'Remove the banner',
        body: operatorReasonOnlySchema,
        response: { 200: operatorBannerSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ operator, body: { reason } }) => {
      await runLogged(context, operator, { action: 'remove-banner', target, reason }, () => removeBanner(db));
      return current();
    },
  );
}
