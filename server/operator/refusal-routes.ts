import { z } from 'zod';
import {
  type OperatorNoteList,
  type OperatorSellerRefusals,
  operatorNoteListSchema,
  operatorNoteSchema,
  operatorPaths,
  operatorRefusalQuerySchema,
  operatorRefusedSellersSchema,
  operatorSellerRefusalsSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import {
  countRefusals,
  listRefusals,
  listRefusedSellers,
  type RefusalRow,
} from '#shared/data/generations/refusals.ts';
import { listNotes } from '#shared/data/operator/operator-actions.ts';
import { findAddresses } from '#shared/data/profiles/find.ts';
import { dayOf } from '#shared/platform/days.ts';
import { runLogged } from './run-logged.ts';
import { sellerOf } from './seller-of.ts';

/** What the pages show at most. */
const most = { sellers: 50, counted: 1_000, refusals: 50, notes: 50 };

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Sellers whose images moderation refuses, and notes on sellers (docs/runbook.md, "A seller is refused often"). */
export async function operatorRefusalRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const params = z.object({ id: z.string() });

  async function notesOf(sellerId: string): Promise<OperatorNoteList> {
    const rows = await listNotes(db, sellerId, most.notes);
    return {
      notes: rows.map(({ _id: id, at, operator_name: operator, reason: text }) => {
        return { id, at: at.toISOString(), operator, text };
      }),
    };
  }

  app.get(
    operatorPaths.refusals,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listRefusedSellers',
        tags: ['operator'],
        summary: 'The sellers whose images moderation refused most often in the last 7 or 30 days',
        querystring: operatorRefusalQuerySchema,
        response: { 200: operatorRefusedSellersSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ query }) => {
      const rows = await listRefusedSellers(db, daysAgo(Number(query.days)), most.sellers);
      const addresses = await findAddresses(
        db,
        rows.map(({ _id }) => _id),
      );
      return {
        sellers: rows.map(({ _id: id, count: refusals, last }) => {
          return { id, email: addresses.get(id) ?? null, refusals, last: last.toISOString() };
        }),
      };
    },
  );

  app.get(
    operatorPaths.sellerRefusals(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listSellerRefusals',
        tags: ['operator'],
        summary: 'What moderation refused of a seller in the last 30 days, by day and one by one',
        params,
        response: { 200: operatorSellerRefusalsSchema, ...errorReplies(401, 403, 404) },
      },
    },
    async ({ params: { id } }) => {
      await sellerOf(db, id);
      const since = daysAgo(30);
      const [rows, total] = await Promise.all([
        listRefusals(db, id, since, most.counted),
        countRefusals(db, id, since),
      ]);
      return {
        days: countByDay(rows),
        refusals: rows.slice(0, most.refusals).map(({ _id, at, stage, categories }) => {
          return { id: _id, at: at.toISOString(), stage, categories };
        }),
        total,
      };
    },
  );

  app.get(
    operatorPaths.sellerNotes(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listSellerNotes',
        tags: ['operator'],
        summary: 'The notes of operators on a seller, newest first',
        params,
        response: { 200: operatorNoteListSchema, ...errorReplies(401, 403, 404) },
      },
    },
    async ({ params: { id } }) => {
      await sellerOf(db, id);
      return notesOf(id);
    },
  );

  app.post(
    operatorPaths.sellerNotes(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'addSellerNote',
        tags: ['operator'],
        summary: 'Add a note on a seller: a line of the audit log, which cannot be changed or removed',
        params,
        body: operatorNoteSchema,
        response: { 200: operatorNoteListSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async ({ operator, params: { id }, body: { text } }) => {
      const target = { kind: 'seller', id } as const;
      await runLogged(context, operator, { action: 'add-note', target, reason: text }, () =>
        sellerOf(db, id),
      );
      return notesOf(id);
    },
  );
}

/** How many there are of each day, stage and category, the newest day first. */
function countByDay(rows: readonly RefusalRow[]): OperatorSellerRefusals['days'] {
  const counts = new Map<string, OperatorSellerRefusals['days'][number]>();
  for (const { at, stage, categories } of rows) {
    for (const category of categories.length > 0 ? new Set(categories) : [null]) {
      const day = dayOf(at);
      const key = JSON.stringify([day, stage, category]);
      const counted = counts.get(key) ?? { day, stage, category, count: 0 };
      counts.set(key, { ...counted, count: counted.count + 1 });
    }
  }
  return [...counts.values()];
}
