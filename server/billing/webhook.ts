import { z } from 'zod';
import { limits, paths } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { parse } from '#server/http/validation.ts';
import { eventSchema, handleEvent, type ReceivedEvent, recordEvent } from '#shared/billing/events.ts';
import { AppError } from '#shared/platform/errors.ts';
import { checkSignature } from './stripe-signature.ts';

/**
 * The webhook for Stripe's events. Register it in a scope of its own: its content type parser keeps a body as the bytes
 * that were signed. An event is stored before it is handled. If handling fails, the answer is 503: Stripe sends it again,
 * and upkeep tries as well.
 */
export async function stripeWebhookRoutes(app: App, { context }: { context: ServerContext }) {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post(
    paths.stripeWebhook,
    {
      bodyLimit: limits.stripeEventBytes,
      schema: {
        operationId: 'receiveStripeEvent',
        tags: ['webhooks'],
        security: [{ stripeSignature: [] }],
        summary: "Stripe's events, signed",
        response: { 200: z.object({ received: z.literal(true) }), ...errorReplies(400, 503) },
      },
    },
    async (request) => {
      const event = verifyEvent(request.body, request.headers['stripe-signature']);
      await recordEvent(context.db, event);
      try {
        await handleEvent(context, event.id);
      } catch (cause) {
        throw new AppError('UNAVAILABLE', { cause });
      }
      return { received: true as const };
    },
  );

  /** @throws AppError BAD_SIGNATURE, BAD_JSON, or VALIDATION for a signed body that is no event */
  function verifyEvent(body: unknown, signature: string | string[] | undefined): ReceivedEvent {
    checkSignature(context.billing.stripe, body, signature, context.config.billing.webhookSecret);
    return parse(eventSchema, readJson(body as Buffer));
  }
}

/** @throws AppError BAD_JSON */
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw new AppError('BAD_JSON', { cause });
  }
}
