import { z } from 'zod';
import { changeWaitingSchema, generationViewSchema, moveInLineSchema, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { generationView } from '#shared/generations/generation-view.ts';
import { changeWaiting, moveInLine } from './waiting.ts';

/** What a seller can change of generations that wait: their order, scene and options. */
export async function waitingRoutes(app: App, { context }: { context: ServerContext }) {
  const { db } = context;
  const params = z.object({ id: z.string() });

  app.post(
    paths.moveGeneration(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        summary: "Move a generation that waits within the seller's own line",
        description: "Others' places stay. Images of batches wait behind all others and cannot be moved.",
        params,
        body: moveInLineSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 404, 409) },
      },
    },
    async ({ caller, params: { id }, body: { before } }) =>
      generationView(db, await moveInLine(context, caller.sellerId, id, before)),
  );

  app.patch(
    paths.generationRequest(':id'),
    {
      onRequest: app.requireSession,
      schema: {
        summary: 'Change scene and options of a generation that waits',
        description: 'Once it has begun, the answer is `ALREADY_BEGUN` and it is made as it was.',
        params,
        body: changeWaitingSchema,
        response: { 200: generationViewSchema, ...errorReplies(400, 401, 403, 404, 409) },
      },
    },
    async ({ caller, params: { id }, body }) =>
      generationView(db, await changeWaiting(context, caller.sellerId, id, body)),
  );
}
