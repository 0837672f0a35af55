import { dataExportSchema, exportDataSchema, exportTicketSchema, limits, pages, paths } from '#contract';
import type { Reauthentication } from '#server/accounts/reauthenticate.ts';
import { sendSecurityEmail } from '#server/accounts/security-email.ts';
import { hasTwoFactor } from '#server/accounts/two-factor/two-factor.ts';
import { sessionIdOf } from '#server/auth/session.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { recordActivity } from '#shared/data/accounts/activities.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { exportOf } from './export-stream.ts';
import { createExportTickets } from './export-tickets.ts';
import { sendExport } from './send-export.ts';

/** What the routes of the export need. */
interface ExportRouteOptions {
  context: ServerContext;
  downloads: Slots;
  reauthenticate: Reauthentication;
}

/**
 * The download of all data of a seller: a POST with password and code does everything that an export does besides the ZIP,
 * and gives the address of the ZIP, from which a browser streams it to a file.
 */
export async function exportRoutes(app: App, { context, downloads, reauthenticate }: ExportRouteOptions) {
  const { db, config } = context;
  const tickets = createExportTickets(app);
  const limitExports = createRateLimit(db, {
    name: 'exports',
    points: limits.exportsAnHour,
    seconds: 3_600,
  });

  app.post(
    paths.export,
    {
      onRequest: app.requireSession,
      schema: {
        operationId: 'requestDataExport',
        tags: ['account'],
        summary: "Ask for a ZIP of everything that is the seller's",
        description:
          `Takes the password, and a code where two-factor sign-in is on; ${limits.exportsAnHour} an hour. The address in ` +
          `the reply works for ${limits.exportTicketSeconds} seconds, in the same session. The seller is told by mail.`,
        body: exportDataSchema,
        response: { 200: dataExportSchema, ...errorReplies(400, 401, 403, 429, 503) },
      },
    },
    async (request) => {
      const { sellerId } = request.caller;
      const { password, code } = request.body;
      const user = await reauthenticate.password(request, password);
      const profile = await findProfile(db, sellerId);
      if (!profile) throw new AppError('UNAUTHENTICATED');
      if (hasTwoFactor(user, profile)) await reauthenticate.code(request, user, code);
      // After the secrets, so that a session alone cannot use up the owner's exports.
      await limitExports(sellerId);
      await recordActivity(db, sellerId, 'data-exported', request.from);
      await sendSecurityEmail(context, user, 'data-exported', {
        at: new Date(),
        from: { ...request.from, resetLink: config.linkUrl + pages.forgotPassword },
      });
      const { ticket, expiresAt } = tickets.issue(request.caller);
      return {
        url: `${paths.export}?${new URLSearchParams({ ticket })}`,
        expiresAt: expiresAt.toISOString(),
      };
    },
  );

  app.get(
    paths.export,
    {
      onRequest: app.requireSession,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadDataExport',
        tags: ['account'],
        summary: "The ZIP of everything that is the seller's",
        description:
          'At the address that the POST gave: profile, settings, sessions, activity, ledger and generations as JSON, with ' +
          'all photos and images.',
        querystring: exportTicketSchema,
        response: { 200: fileReply('The ZIP', 'application/zip'), ...errorReplies(400, 401, 429, 503) },
      },
    },
    async (request, reply) => {
      const { sellerId } = request.caller;
      const sessionId = sessionIdOf(request.caller);
      if (!tickets.isOf(request.caller, request.query.ticket)) throw new AppError('TOKEN_INVALID');
      await admitDownload(downloads, request, reply);
      const stream = await exportOf(context, sellerId, sessionId);
      if (!stream) throw new AppError('UNAUTHENTICATED');
      return sendExport(reply, stream);
    },
  );
}
