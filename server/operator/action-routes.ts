import { operatorActionListSchema, operatorActionQuerySchema, operatorPaths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts';
import { errorReplies } from '#server/http/replies.ts';
import { listOperatorActions } from '#shared/data/operator/operator-actions.ts';
import { presentOperatorAction } from './present-action.ts';

/** The audit log of operators. */
export async function operatorActionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;

  app.get(
    operatorPaths.actions,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listOperatorActions',
        tags: ['operator'],
        summary: 'The audit log of operators, newest first',
        querystring: operatorActionQuerySchema,
        response: { 200: operatorActionListSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { limit, cursor, target } = request.query;
      const rows = await listOperatorActions(db, limit + 1, {
        ...(target !== undefined && { target }),
        ...(cursor !== undefined && { before: decodeCursor(cursor) }),
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const more = rows.length > limit && last;
      return {
        actions: page.map(presentOperatorAction),
        nextCursor: more ? encodeCursor({ created_at: last.at, _id: last._id }) : null,
      };
    },
  );
}
