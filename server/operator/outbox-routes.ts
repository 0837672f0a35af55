import { z } from 'zod';
import {
  operatorEventListSchema,
  operatorMailListSchema,
  operatorPaths,
  operatorReasonOnlySchema,
  operatorWebhookCallListSchema,
} from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { errorReplies } from '#server/http/replies.ts';
import { handleEvent } from '#shared/billing/events.ts';
import { listUnhandledStripeEvents } from '#shared/data/billing/stripe-events.ts';
import { countWaitingMails, listFailedMails, sendMailAgain } from '#shared/data/mails.ts';
import { listFailedWebhookCalls, sendWebhookCallAgain } from '#shared/data/operator/webhook-calls.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentOperatorEvent, presentOperatorMail, presentOperatorWebhookCall } from './present-outbox.ts';
import { runLogged } from './run-logged.ts';

/** Lines of each list. */
const listed = 100;

/** Mails, events of Stripe and calls of the alert webhook that failed, and another try. */
export async function operatorOutboxRoutes(app: App, { context }: { context: ServerContext }) {
  const { db, relay } = context;

  async function mails(): Promise<z.input<typeof operatorMailListSchema>> {
    const [waiting, failed] = await Promise.all([countWaitingMails(db), listFailedMails(db, listed)]);
    return { waiting, failed: failed.map(presentOperatorMail) };
  }

  async function events(): Promise<z.input<typeof operatorEventListSchema>> {
    return { events: (await listUnhandledStripeEvents(db, listed)).map(presentOperatorEvent) };
  }

  async function webhookCalls(): Promise<z.input<typeof operatorWebhookCallListSchema>> {
    return { failed: (await listFailedWebhookCalls(db, listed)).map(presentOperatorWebhookCall) };
  }

  app.get(
    operatorPaths.mails,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listMails',
        tags: ['operator'],
        summary: 'Mails that were not delivered',
        response: { 200: operatorMailListSchema, ...errorReplies(401, 403) },
      },
    },
    mails,
  );

  app.post(
    operatorPaths.sendMail(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'sendMail',
        tags: ['operator'],
        summary: 'Send a mail again that was given up',
        params: z.object({ id: z.string() }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorMailListSchema, ...errorReplies(400, 401, 403, 409) },
      },
    },
    async ({ operator, params: { id }, body: { reason } }) => {
      const logged = { action: 'send-mail-again', target: { kind: 'mail', id }, reason } as const;
      await runLogged(context, operator, logged, async () => {
        if (!(await sendMailAgain(db, id))) throw new AppError('NOT_REPEATABLE');
        relay.publishMail();
      });
      return mails();
    },
  );

  app.get(
    operatorPaths.events,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listEvents',
        tags: ['operator'],
        summary: 'Events of Stripe that were not handled',
        response: { 200: operatorEventListSchema, ...errorReplies(401, 403) },
      },
    },
    events,
  );

  app.post(
    operatorPaths.handleEvent(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'handleEvent',
        tags: ['operator'],
        summary: 'Handle an event of Stripe again',
        params: z.object({ id: z.string() }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorEventListSchema, ...errorReplies(400, 401, 403, 409, 503) },
      },
    },
    async ({ operator, params: { id }, body: { reason } }) => {
      const logged = { action: 'handle-event-again', target: { kind: 'event', id }, reason } as const;
      await runLogged(context, operator, logged, async () => {
        const handled = await handleEvent(context, id).catch((cause) => {
          throw new AppError('SUBSCRIPTION_UNREADABLE', { cause });
        });
        if (!handled) throw new AppError('NOT_REPEATABLE');
      });
      return events();
    },
  );

  app.get(
    operatorPaths.webhookCalls,
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'listWebhookCalls',
        tags: ['operator'],
        summary: 'Calls of the alert webhook that were not accepted',
        response: { 200: operatorWebhookCallListSchema, ...errorReplies(401, 403) },
      },
    },
    webhookCalls,
  );

  app.post(
    operatorPaths.callWebhook(':id'),
    {
      onRequest: app.requireOperator,
      schema: {
        operationId: 'callWebhook',
        tags: ['operator'],
        summary: 'Call the alert webhook again with what was given up',
        description: 'Any process calls it in its next round of watching, within seconds.',
        params: z.object({ id: z.string() }),
        body: operatorReasonOnlySchema,
        response: { 200: operatorWebhookCallListSchema, ...errorReplies(400, 401, 403, 409) },
      },
    },
    async ({ operator, params: { id }, body: { reason } }) => {
      const logged = { action: 'call-webhook-again', target: { kind: 'webhook-call', id }, reason } as const;
      await runLogged(context, operator, logged, async () => {
        if (!(await sendWebhookCallAgain(db, id))) throw new AppError('NOT_REPEATABLE');
      });
      return webhookCalls();
    },
  );
}
