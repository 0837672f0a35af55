import { z } from 'zod';
import { limits, noEventId, streamOpenedEvent, v1EventsPath } from '#contract';
import type { App } from '#server/http/app-type.ts';
import { disconnectedOf } from '#server/http/disconnected.ts';
import { versionHeaders } from '#server/http/documented.ts';
import { errorReplies, fileReply } from '#server/http/replies.ts';
import { AppError } from '#shared/platform/errors.ts';
import type { V1Parts } from './parts.ts';

const lastEventIdSchema = z.union([z.literal(noEventId), z.string().regex(/^msg_[0-9a-f]{32}$/)]);

/** Version 1 of the API: events as a stream (docs/decisions/0140-events-as-a-stream.md). */
export async function v1EventRoutes(app: App, { streams }: V1Parts) {
  app.get(
    v1EventsPath,
    {
      onRequest: app.requireKey('generations:read'),
      exposeHeadRoute: false,
      schema: {
        operationId: 'events.stream',
        tags: ['api'],
        requestHeaders: versionHeaders.extend({
          'Last-Event-ID': lastEventIdSchema
            .optional()
            .describe('The `id` that came last: the stream goes on after it. From now on without it.'),
        }),
        summary: 'What happens, as server-sent events',
        description:
          'For programs without a public address: the events of webhooks, with the same `data`, and with their `webhook-id` as `id`. ' +
          `The first one, \`${streamOpenedEvent}\`, only has the \`id\` to go on from. With \`Last-Event-ID\` nothing is left out and ` +
          `nothing comes twice; events are kept for ${limits.apiEventDays} days at least, and the answer is \`EVENT_TOO_OLD\` when some ` +
          'are gone. `balance.low` comes to keys with the scope `usage:read` only.',
        response: {
          200: fileReply('The events', 'text/event-stream'),
          ...errorReplies(400, 401, 403, 410, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const given = request.headers['last-event-id'];
      const lastEventId = lastEventIdSchema.optional().safeParse(given === '' ? undefined : given);
      if (!lastEventId.success) {
        throw new AppError('VALIDATION', {
          message: 'This is no id of an event.',
          field: 'Last-Event-ID',
        });
      }
      const stream = await streams.open(
        request.caller,
        lastEventId.data,
        disconnectedOf(reply),
        request.keyEnded!,
      );
      return reply
        .type('text/event-stream; charset=utf-8')
        .headers({
          'cache-control': 'no-store, no-transform',
          // nginx sends what it has only then.
          'x-accel-buffering': 'no',
        })
        .send(stream);
    },
  );
}
