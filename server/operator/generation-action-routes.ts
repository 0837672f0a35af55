import { z } from 'zod';
import {
  type OperatorGenerationAction,
  operatorGenerationActionSchema,
  operatorGenerationActions,
  operatorGenerationReplySchema,
  operatorPaths,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { handBackGeneration } from '#shared/data/generations/attempts.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { cancel } from '#shared/generations/cancel.ts';
import { submit } from '#shared/generations/submit.ts';
import { AppError } from '#shared/platform/errors.ts';
import { addJob } from '#shared/platform/queue.ts';
import { announce } from '#shared/views/announce.ts';
import { findForOperator, generationForOperator } from './generation-life.ts';
import { runLogged } from './run-logged.ts';

/** What operators do with a generation: retry, cancel, release. */
export async function operatorGenerationActionRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, queue } = context;

  /** Each returns the id of a new generation, if it made one. */
  const steps: Readonly<Record<OperatorGenerationAction, (row: GenerationRow) => Promise<string | null>>> = {
    async retry(original) {
      // The seller was not charged for it. Each is retried once; the new one can be retried in turn.
      if (original.state !== 'failed' || original.deletion) throw new AppError('NOT_REPEATABLE');
      const request = { kind: 'retry', sellerId: original.profile, original } as const;
      const { accepted, repeated } = await submit(context, request);
      if (repeated) throw new AppError('NOT_REPEATABLE');
      return accepted[0]!.row._id;
    },
    async cancel({ _id: id, profile: sellerId }) {
      // Not agreed to use the image: the seller is never charged for what an operator does.
      await cancel(context, sellerId, id, false);
      return null;
    },
    async release({ _id: generationId, fence }) {
      const attempt = { generationId, fence };
      const row = await handBackGeneration(db, attempt, { until: new Date(), waitingFor: 'worker' });
      if (!row) throw new AppError('NOT_REPEATABLE');
      // The worker that had it, if it lives, stops its call when it next renews its lease.
      await addJob(queue, row);
      await announce(context, row.profile, { generation: row });
      return null;
    },
  };

  app.post(
    operatorPaths.generationAction(':id', ':action' as OperatorGenerationAction),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'actOnGeneration',
        tags: ['operator'],
        summary: 'Make a failed generation again, cancel one, or give one back to the queue',
        description:
          'Nothing happens if the generation has changed since the operator saw it. `retry` uses an image of the seller; ' +
          '`release` takes a generation from its worker, so that another one makes it.',
        params: z.object({ id: z.string(), action: z.enum(operatorGenerationActions) }),
        body: operatorGenerationActionSchema,
        response: { 200: operatorGenerationReplySchema, ...errorReplies(400, 401, 402, 403, 404, 409, 503) },
      },
    },
    async ({ operator, params: { id, action }, body: { reason, revision } }) => {
      const logged = { action: `${action}-generation`, target: { kind: 'generation', id }, reason } as const;
      const retriedAs = await runLogged(context, operator, logged, async () => {
        const row = await findForOperator(db, id);
        if (row.revision !== revision) throw new AppError('GENERATION_CHANGED');
        return steps[action](row);
      });
      return { generation: await generationForOperator(db, id), retriedAs };
    },
  );
}
