import { operatorBannerSchema, operatorPaths, operatorReasonOnlySchema, setBannerSchema } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { findBanner, removeBanner, setBanner } from '#shared/data/operator/banners.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentBanner } from './present-banner.ts';
import { runLogged } from './run-logged.ts';

const target = { kind: 'banner', id: 'banner' } as const;

/** The message that sellers read on every page. */
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
    async ({ operator, body: { text, until, reason } }) => {
      const end = until === null ? null : new Date(until);
      const details = end ? `${text} (until ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC)` : text;
      await runLogged(context, operator, { action: 'set-banner', target, reason, details }, async () => {
        if (end && end <= new Date()) {
          throw new AppError('VALIDATION', {
            field: 'until',
            message: 'Please choose a time in the future.',
          });
        }
        await setBanner(db, text, end);
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
