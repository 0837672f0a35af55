/** The `/control` routes: tests inject faults, act for customers and banks, move the clock and inspect the state. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Faults } from './api/replies.ts';
import { answerChallenge } from './billing/challenges.ts';
import { closeDispute, failRefund, openDispute } from './billing/charges.ts';
import { successUrlOf } from './billing/checkout.ts';
import { createBankAccount, createCard, detach } from './billing/payment-methods.ts';
import { cancelInPortal } from './billing/portal/plan-changes.ts';
import { attachDefaultCard } from './billing/portal/sessions.ts';
import type { Core } from './core/core.ts';
import type { StripeEngine } from './engine.ts';
import { invalidRequest } from './errors.ts';
import type { PortalOutcome } from './views.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { listDeliveries } from './webhooks/queue.ts';

const faultSchema = z.strictObject({
  when: z.enum(['before', 'after']),
  status: z.number().int().min(400).max(599).optional(),
  match: z.string().optional(),
});

/** The body of `POST /control`; omitted settings keep their value. */
const settingsSchema = z.strictObject({
  latencyMs: z.number().int().min(0).max(600_000).optional(),
  faults: z.array(faultSchema).optional(),
  billingMode: z.enum(['flexible', 'classic']).optional(),
  webhooks: z
    .strictObject({
      hold: z.boolean().optional(),
      order: z.union([z.literal('created'), z.strictObject({ shuffle: z.number().int() })]).optional(),
      copies: z.number().int().min(1).max(20).optional(),
      parallel: z.number().int().min(1).max(50).optional(),
    })
    .optional(),
});
/** See `settingsSchema`. */
export type ControlSettings = z.infer<typeof settingsSchema>;

/** The reply of `GET /control`. */
export interface ControlState {
  /** The server's clock in Unix seconds, and how many seconds it is ahead of real time. */
  now: number;
  offset: number;
  latencyMs: number;
  /** Faults that are still queued. */
  faultsLeft: number;
  webhooks: { hold: boolean; order: unknown; copies: number; parallel: number; pending: number };
}

/** The result of a checkout that was completed without a browser. */
export type CheckoutResult =
  | { outcome: 'paid'; redirectUrl: string; session: string; customer: string; subscription: string | null }
  | { outcome: 'declined'; message: string; code: string };

/** The result of a flow of the portal that was completed without a browser. */
export type PortalFlowResult = { outcome: 'done'; redirectUrl: string } | { outcome: 'declined' };

const advanceSchema = z.union([
  z.strictObject({ seconds: z.number().int().min(0) }),
  z.strictObject({ months: z.number().int().min(0).max(1200) }),
  z.strictObject({ to: z.number().int() }),
]);
const waitSchema = z.object({ withinMs: z.coerce.number().int().min(0).max(600_000).default(60_000) });
const limitSchema = z.object({ limit: z.coerce.number().int().min(1).max(100_000).default(1000) });
const card = z.string().regex(/^[\d ]+$/, 'a card number has digits only');

/** Adds the control routes to a server. */
export function addControlRoutes(
  app: FastifyInstance,
  core: Core,
  engine: StripeEngine,
  dispatcher: Dispatcher,
  faults: Faults,
): void {
  const post = <T>(path: string, schema: z.ZodType<T>, run: (input: T) => object | Promise<object>) =>
    app.post(`/control${path}`, async (request) => run(checked(schema, request.body)));
  /** An action in one transaction. */
  const act = <T>(path: string, schema: z.ZodType<T>, run: (input: T) => object) =>
    post(path, schema, (input) => core.perform(() => run(input)));
  const detailsOf = (cardNumber: string) => {
    const inThreeYears = new Date(core.now() * 1000).getUTCFullYear() + 3;
    return { cardNumber, expMonth: 12, expYear: inThreeYears };
  };

  function state(): ControlState {
    const { hold, order, parallel } = dispatcher.settings;
    return {
      now: core.now(),
      offset: core.clock.offset,
      latencyMs: faults.latencyMs,
      faultsLeft: faults.left,
      webhooks: { hold, order, copies: core.copies, parallel, pending: dispatcher.pending() },
    };
  }

  function configure(settings: ControlSettings): ControlState {
    const { latencyMs, faults: further = [], billingMode = core.billingMode, webhooks = {} } = settings;
    core.billingMode = billingMode;
    if (latencyMs !== undefined) faults.latencyMs = latencyMs;
    faults.add(further);
    const { copies, ...dispatch } = webhooks;
    if (copies !== undefined) {
      core.copies = copies;
      if (copies > 1) dispatcher.copyPending(copies);
    }
    dispatcher.configure(dispatch);
    return state();
  }

  app.get('/control', async () => state());
  post('', settingsSchema, configure);
  post('/reset', z.unknown(), () => {
    faults.reset();
    return configure({
      billingMode: 'flexible',
      webhooks: { hold: false, order: 'created', copies: 1, parallel: 1 },
    });
  });
  post('/advance', advanceSchema, (step) => engine.advance(step));
  app.get('/control/deliveries', async (request) =>
    listDeliveries(core.store, checked(limitSchema, request.query).limit),
  );
  app.get('/control/settled', async (request, reply) => {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const { withinMs } = checked(waitSchema, request.query);
    return { pending: await dispatcher.settled(withinMs, left.signal) };
  });

  // Pays a checkout session with a card, as a customer would in the browser, and passes 3-D Secure.
  post(
    '/complete-checkout',
    z.strictObject({
      session: z.string(),
      card: card.default('4242424242424242'),
      business: z
        .strictObject({ name: z.string(), country: z.string(), vatId: z.string().optional() })
        .optional(),
    }),
    (asked): CheckoutResult => {
      // The page asks for a country where tax may be added.
      const isTaxed = core.getOrThrow('checkout.session', asked.session).automatic_tax.enabled;
      const { business = isTaxed ? { name: 'Ada', country: 'US' } : undefined } = asked;
      const paid = engine.payCheckout(asked.session, detailsOf(asked.card), business);
      if (paid.outcome === 'declined') return paid;
      if (paid.outcome === 'authenticate') {
        const answered = core.perform(() => answerChallenge(core, paid.challengeId, true));
        if (answered.outcome === 'declined') {
          return { outcome: 'declined', message: answered.message, code: 'card_declined' };
        }
      }
      const session = core.getOrThrow('checkout.session', asked.session);
      return {
        outcome: 'paid',
        redirectUrl: successUrlOf(session),
        session: session.id,
        customer: session.customer,
        subscription: session.subscription,
      };
    },
  );
  act('/set-card', z.strictObject({ customer: z.string(), card }), (asked) => {
    const { id } = createCard(core, detailsOf(asked.card));
    attachDefaultCard(core, asked.customer, id);
    return { paymentMethod: id };
  });
  act('/set-bank-account', z.strictObject({ customer: z.string() }), ({ customer }) => {
    const { id } = createBankAccount(core);
    attachDefaultCard(core, customer, id);
    return { paymentMethod: id };
  });
  act('/remove-cards', z.strictObject({ customer: z.string() }), ({ customer }) => {
    const methods = core.store.list('payment_method', { customer });
    for (const { id } of methods) detach(core, id);
    return { removed: methods.length };
  });
  // Goes through the flow of a portal session, as a customer would in the browser.
  post(
    '/complete-portal-flow',
    z.strictObject({ session: z.string(), card: card.optional(), authenticate: z.boolean().default(true) }),
    ({ session, card: number, authenticate }): PortalFlowResult => {
      const answer = (outcome: PortalOutcome): PortalOutcome => {
        if (outcome.outcome !== 'authenticate') return outcome;
        const answered = core.perform(() => answerChallenge(core, outcome.challengeId, authenticate));
        if (answered.outcome === 'done') return { outcome: 'done' };
        return { outcome: 'declined', message: answered.message, code: 'card_declined', declineCode: null };
      };
      const { flow } = core.getOrThrow('billing_portal.session', session);
      if (flow === null) throw invalidRequest('This session has no flow.');
      const { subscription_update_confirm: confirm } = flow;
      const steps = [
        ...(number === undefined ? [] : [() => engine.portalAddCard(session, detailsOf(number))]),
        ...(confirm === null ? [] : [() => engine.portalChangePlan(session, confirm.price)]),
      ];
      for (const step of steps) {
        const outcome = answer(step());
        if (outcome.outcome !== 'done') return { outcome: 'declined' };
      }
      return { outcome: 'done', redirectUrl: flow.after_completion.redirect.return_url };
    },
  );
  act('/cancel-at-period-end', z.strictObject({ subscription: z.string() }), ({ subscription }) =>
    cancelInPortal(core, subscription),
  );
  act(
    '/dispute',
    z.strictObject({
      charge: z.string(),
      amount: z.number().int().min(1).optional(),
      inquiry: z.boolean().optional(),
    }),
    ({ charge, ...options }) => ({ dispute: openDispute(core, charge, options).id }),
  );
  act(
    '/close-dispute',
    z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost']) }),
    ({ dispute, outcome }) => closeDispute(core, dispute, outcome),
  );
  act('/fail-refund', z.strictObject({ refund: z.string() }), ({ refund }) => failRefund(core, refund));
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidRequest(z.prettifyError(result.error));
  return result.data;
}
