import { z } from 'zod';
import {
  exportTicketSchema,
  limits,
  operatorDeletionReplySchema,
  operatorDeletionSchema,
  operatorExportSchema,
  operatorPaths,
  operatorReasonOnlySchema,
} from '#contract';
import { exportOf } from '#server/accounts/export/export-stream.ts';
import { createExportTickets } from '#server/accounts/export/export-tickets.ts';
import { sendExport } from '#server/accounts/export/send-export.ts';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { admitDownload } from '#server/http/downloads.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import type { Slots } from '#server/uploads/slots.ts';
import { deleteAccount, deleteAfterNotice } from '#shared/accounts/delete-account.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { tellOfExport } from '#shared/accounts/tell-of-export.ts';
import { findUser } from '#shared/data/accounts/users.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { AppError } from '#shared/platform/errors.ts';
import { changeBilling } from './change-billing.ts';
import { assertNotOwn } from './not-own.ts';
import { runLogged } from './run-logged.ts';
import { sellerOf } from './seller-of.ts';
import { operatorSellerView } from './seller-view.ts';

/** What operators do for a person who asks for a copy of their data, or for its deletion. */
export async function operatorDataRequestRoutes(
  app: App,
  { context, downloads }: { context: ServerContext; downloads: Slots },
) {
  const { db, log } = context;
  const tickets = createExportTickets(app);

  app.post(
    operatorPaths.sellerExport(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'exportSeller',
        tags: ['operator'],
        summary: "Ask for a ZIP of everything about a seller, on the seller's request",
        description:
          'The same as the seller can download. The seller is told by mail and in the activity log. The address in the reply ' +
          `works for ${limits.exportTicketSeconds} seconds, in the same session.`,
        params: z.object({ id: z.string() }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorExportSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async ({ operator, caller, params: { id }, body: { reason } }) => {
      const logged = { action: 'export-data', target: { kind: 'seller', id }, reason } as const;
      return runLogged(context, operator, logged, async () => {
        const user = await findUser(db, id);
        if (!user) throw new AppError('NOT_FOUND');
        await tellOfExport(context, user);
        const { ticket, expiresAt } = tickets.issue(caller, id);
        const url = `${operatorPaths.sellerExport(id)}?${new URLSearchParams({ ticket })}`;
        return { url, expiresAt: expiresAt.toISOString() };
      });
    },
  );

  app.get(
    operatorPaths.sellerExport(':id'),
    {
      onRequest: app.requireOperator,
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadSellerExport',
        tags: ['operator'],
        summary: 'The ZIP of everything about a seller',
        description: 'At the address that the POST gave.',
        params: z.object({ id: z.string() }),
        querystring: exportTicketSchema,
        response: {
          200: fileReply('The ZIP', 'application/zip'),
          ...errorReplies(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!tickets.isOf(request.caller, request.query.ticket, id)) throw new AppError('TOKEN_INVALID');
      await admitDownload(downloads, request, reply);
      const stream = await exportOf(context, id);
      if (!stream) throw new AppError('NOT_FOUND');
      return sendExport(reply, stream);
    },
  );

  app.post(
    operatorPaths.sellerDeletion(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'deleteSeller',
        tags: ['operator'],
        summary: 'Delete the account of a seller with everything in it, at once or after a notice',
        description:
          "Ends the plan. Takes the address as a confirmation. Refused for operators' accounts, and at once while a change of " +
          'the address can be undone. Idempotent.',
        params: z.object({ id: z.string() }),
        body: operatorDeletionSchema,
        response: { 200: operatorDeletionReplySchema, ...errorReplies(400, 401, 403, 404, 409) },
      },
    },
    async ({ operator, params: { id }, body: { reason, email, when } }) => {
      const action = when === 'now' ? 'delete-account' : 'plan-deletion';
      const logged = { action, target: { kind: 'seller', id }, reason } as const;
      await runLogged(context, operator, logged, async () => {
        assertNotOwn(operator, id);
        const profile = await sellerOf(db, id);
        if (profile.email !== email) {
          const message = 'This is not the address of this account.';
          throw new AppError('VALIDATION', { field: 'email', message });
        }
        await (when === 'now' ? deleteNow(id) : plan(id));
      });
      const profile = when === 'now' ? null : await findProfile(db, id);
      return { seller: profile && (await operatorSellerView(context, profile)) };
    },
  );

  async function deleteNow(id: string): Promise<void> {
    for (const sessionId of await deleteAccount(db, id)) await app.endSession(sessionId);
    // Not awaited: Stripe and the storage may be slow. Upkeep continues what fails here.
    finishDeletion(context, id).catch((error) => {
      log.error({ err: error, seller: id }, 'a deletion was interrupted; upkeep will continue it');
    });
  }

  async function plan(id: string): Promise<void> {
    await deleteAfterNotice(context, id);
    await changeBilling(context, id);
  }
}
