import { z } from 'zod';
import {
  type OperatorDailyLimit,
  operatorDailyLimitSchema,
  operatorPaths,
  operatorSellerViewSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { continueBatchSoon } from '#shared/batches/run.ts';
import { findUnendedBatchesOf } from '#shared/data/batches/batches.ts';
import { setDailyLimit } from '#shared/data/profiles/daily-count.ts';
import { AppError } from '#shared/platform/errors.ts';
import { announce } from '#shared/views/announce.ts';
import { assertNotOwn } from './not-own.ts';
import { runLogged } from './run-logged.ts';
import { operatorSellerView } from './seller-view.ts';

/** The daily limit that operators give one seller (docs/credits.md, "The daily limit"). */
export async function operatorDailyLimitRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.put(
    operatorPaths.sellerDailyLimit(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'setSellerDailyLimit',
        tags: ['operator'],
        summary: 'Give a seller a daily limit of their own, none, or that of the installation again',
        description:
          "What was counted today stays. Batches that wait for the next day go on if the limit allows it. Refused for the operator's own account.",
        params: z.object({ id: z.string() }),
        body: operatorDailyLimitSchema,
        response: { 200: operatorSellerViewSchema, ...errorReplies(400, 401, 403, 404) },
      },
    },
    async ({ operator, params: { id }, body: { limit, reason } }) => {
      const target = { kind: 'seller', id } as const;
      const logged = { action: 'set-daily-limit', target, reason, details: detailsOf(limit) } as const;
      const profile = await runLogged(context, operator, logged, async () => {
        assertNotOwn(operator, id);
        const changed = await setDailyLimit(
          db,
          id,
          limit === 'none' ? null : limit === 'installation' ? undefined : limit,
        );
        if (!changed) throw new AppError('NOT_FOUND');
        return changed;
      });
      await announce(context, id, { profile });
      for (const { _id } of await findUnendedBatchesOf(db, [id])) continueBatchSoon(context, _id);
      return operatorSellerView(context, profile);
    },
  );
}

function detailsOf(limit: OperatorDailyLimit['limit']): string {
  if (limit === 'none') return 'No daily limit';
  if (limit === 'installation') return 'The daily limit of the installation';
  return limit === 1 ? '1 image a day' : `${limit.toLocaleString('en')} images a day`;
}
