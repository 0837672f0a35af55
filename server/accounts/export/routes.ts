import { limits, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import type { Slots } from '#server/http/slots.ts';
import { recordActivity } from '#shared/data/activities.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { findUser } from '#shared/data/users.ts';
import { AppError } from '#shared/platform/errors.ts';
import { exportStream } from './export-stream.ts';

/** The download of all data of a seller. */
export async function exportRoutes(
  app: App,
  { context, downloads }: { context: ServerContext; downloads: Slots },
) {
  const { db, log } = context;
  const limitExports = createRateLimit(db, {
    name: 'exports',
    points: limits.exportsAnHour,
    seconds: 3_600,
  });

  app.get(
    paths.export,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        summary: "A ZIP of everything that is the seller's",
        description: `Profile, settings, sessions, activity, ledger and generations as JSON, with all photos and images; ${limits.exportsAnHour} an hour.`,
        response: { 200: fileReply('ZIP'), ...errorReplies(401, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId, sessionId } = request.caller;
      await admitDownload(downloads, request, reply);
      await limitExports(sellerId);
      await recordActivity(db, sellerId, 'data-exported', request.from);
      const [user, profile, settings] = await Promise.all([
        findUser(db, sellerId),
        findProfile(db, sellerId),
        findSettings(db, sellerId),
      ]);
      if (!user || !profile || !settings) throw new AppError('UNAUTHENTICATED');
      const stream = exportStream(context, { user, profile, settings, sessionId });
      stream.on('error', (error) => log.warn({ err: error, seller: sellerId }, 'an export was interrupted'));
      const name = `packshot-${new Date().toISOString().slice(0, 10)}.zip`;
      return reply
        .type('application/zip')
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
        .send(stream);
    },
  );
}
