import { z } from 'zod';
import {
  type OperatorActionKind,
  type OperatorQueueAction,
  operatorPaths,
  operatorQueueActions,
  operatorQueueSchema,
  operatorReasonOnlySchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { readQueue, steerQueue } from '#shared/platform/queue-control.ts';
import { runLogged } from './run-logged.ts';

/** Each action in the audit log. */
const kinds: Readonly<Record<OperatorQueueAction, OperatorActionKind>> = {
  pause: 'pause-queue',
  resume: 'resume-queue',
  drain: 'drain-queue',
  'retry-failed': 'retry-failed-jobs',
};

/** The queue: read it, pause and resume it, empty it, run failed jobs again. */
export async function operatorQueueRoutes(app: App, { context }: { context: ServerContext }) {
  const { queue, config } = context;

  app.get(
    operatorPaths.queue,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'getQueue',
        tags: ['operator'],
        summary: 'The queue, for operators',
        response: { 200: operatorQueueSchema, ...errorReplies(401, 403) },
      },
    },
    () => readQueue(queue),
  );

  app.post(
    operatorPaths.queueAction(':action' as OperatorQueueAction),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'actOnQueue',
        tags: ['operator'],
        summary: 'Pause, resume or drain the queue, or run its failed jobs again',
        description:
          '`drain` removes all jobs that wait. No image is lost: upkeep adds the jobs of all images that wait again.',
        params: z.strictObject({ action: z.enum(operatorQueueActions) }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorQueueSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async ({ operator, params: { action }, body: { reason } }) => {
      const target = { kind: 'queue', id: config.queueName } as const;
      await runLogged(context, operator, { action: kinds[action], target, reason }, () =>
        steerQueue(queue, action),
      );
      return readQueue(queue);
    },
  );
}
