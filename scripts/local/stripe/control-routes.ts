/** The `/control` routes: tests inject faults, act for customers and banks, move the clock and inspect the state. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type StripeControl, settingsSchema } from './control.ts';
import type { StripeEngine } from './engine.ts';
import { invalidRequest } from './errors.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';

const maxRetryDelayMs = 600_000;

const advanceSchema = z.union([
  z.strictObject({ seconds: z.number().int().min(0) }),
  z.strictObject({ months: z.number().int().min(0).max(1200) }),
  z.strictObject({ to: z.number().int() }),
]);
const waitSchema = z.object({
  withinMs: z.coerce.number().int().min(0).max(maxRetryDelayMs).default(60_000),
});
const limitSchema = z.object({ limit: z.coerce.number().int().min(1).max(100_000).default(1000) });

/** Adds the control routes to a server. */
export function addControlRoutes(
  app: FastifyInstance,
  control: StripeControl,
  engine: StripeEngine,
  dispatcher: Dispatcher,
): void {
  app.get('/control', async () => control.state());
  app.post('/control', async (request) => control.configure(checked(settingsSchema, request.body)));
  app.post('/control/reset', async () => control.reset());

  app.post('/control/advance', async (request) => engine.advance(checked(advanceSchema, request.body)));

  app.get('/control/deliveries', async (request) =>
    control.deliveries(checked(limitSchema, request.query).limit),
  );
  app.get('/control/settled', async (request, reply) => {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const pending = await dispatcher.settled(checked(waitSchema, request.query).withinMs, left.signal);
    return { pending };
  });

  app.post('/control/complete-checkout', async (request) => {
    const schema = z.strictObject({
      session: z.string(),
      card: z.string().default('4242424242424242'),
      email: z.string().optional(),
    });
    const { session, card, email } = checked(schema, request.body);
    return control.completeCheckout(session, card, email);
  });
  app.post('/control/fail-next-payment', async (request) => {
    control.failNextPayment(checked(z.strictObject({ customer: z.string() }), request.body).customer);
    return control.state();
  });
  app.post('/control/set-card', async (request) => {
    const schema = z.strictObject({ customer: z.string(), card: z.string() });
    const { customer, card } = checked(schema, request.body);
    return control.setCard(customer, card);
  });
  app.post('/control/cancel-at-period-end', async (request) => {
    control.cancelAtPeriodEnd(
      checked(z.strictObject({ subscription: z.string() }), request.body).subscription,
    );
    return control.state();
  });
  app.post('/control/dispute', async (request) => {
    const schema = z.strictObject({
      charge: z.string(),
      amount: z.number().int().min(1).optional(),
      inquiry: z.boolean().optional(),
    });
    const { charge, ...options } = checked(schema, request.body);
    return control.dispute(charge, options);
  });
  app.post('/control/close-dispute', async (request) => {
    const schema = z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost']) });
    const { dispute, outcome } = checked(schema, request.body);
    control.closeDispute(dispute, outcome);
    return control.state();
  });
  app.post('/control/fail-refund', async (request) => {
    control.failRefund(checked(z.strictObject({ refund: z.string() }), request.body).refund);
    return control.state();
  });
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidRequest(z.prettifyError(result.error));
  return result.data;
}
