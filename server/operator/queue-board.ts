import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { operatorPaths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { replyWithError } from '#server/http/errors.ts';

/**
 * bull-board, the raw view of the queue. It only reads: whatever changes something goes through the routes of operators
 * and their audit log.
 */
export async function operatorQueueBoard(app: App, { context }: { context: ServerContext }) {
  const adapter = new FastifyAdapter();
  adapter.setBasePath(operatorPaths.queueBoard);
  createBullBoard({
    queues: [new BullMQAdapter(context.queue as never, { readOnlyMode: true })],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Packshot: jobs' } },
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      // Answered here: the board's own error handler does not know our errors.
      await app.requireOperator(request, reply).catch((error) => replyWithError(error, request, reply));
    });
    await scope.register(adapter.registerPlugin() as never, { prefix: operatorPaths.queueBoard });
  });
}
