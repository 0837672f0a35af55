/** Implements the operations of the pages, each as one transaction on the store. */
import { answerChallenge, createChallenge, findChallenge } from './billing/challenges.ts';
import {
  type Business,
  checkoutTotals,
  completeCheckout,
  getOpenCheckout,
  saveBusiness,
  successUrlOf,
  termsOf,
} from './billing/checkout.ts';
import { detach, getCardOf } from './billing/payment-methods.ts';
import {
  addCard,
  cancel,
  changePlan,
  payInvoiceInPortal,
  previewChange,
  resume,
  undoSchedule,
} from './billing/portal/plan-changes.ts';
import { makeDefaultCard, portalView, saveTypedCard } from './billing/portal/sessions.ts';
import { moveClock, targetOf } from './billing/timeline.ts';
import type { Core } from './core/core.ts';
import { StripeApiError } from './errors.ts';
import type { CheckoutSession } from './objects.ts';
import type { CardDetails, CheckoutView, ClockStep, PaymentOutcome } from './views.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { listDeliveries } from './webhooks/queue.ts';

/** How long `advance` waits for webhooks, so that an endpoint that is down cannot block it forever. */
const webhookTimeoutMs = 60_000;

/** The operations of one server. */
export type StripeEngine = ReturnType<typeof createEngine>;

/**
 * Creates the engine of a server. All operations are synchronous except `advance`; unknown ids throw a StripeApiError
 * (404), but what is found for a page is undefined then.
 */
export function createEngine(core: Core, dispatcher: Dispatcher) {
  const { store } = core;
  /** Rolls back the operation when the card is declined, and returns the decline as its result. */
  const orDeclined = <Outcome>(work: () => Outcome) => {
    try {
      return core.perform(work);
    } catch (error) {
      if (!(error instanceof StripeApiError) || error.status !== 402) throw error;
      const { code, decline_code: declineCode = null, message } = error.detail;
      return { outcome: 'declined' as const, message, code: code ?? 'card_declined', declineCode };
    }
  };
  const ownCard = (sessionId: string, card: string): string => {
    const { customer } = core.getOrThrow('billing_portal.session', sessionId);
    getCardOf(core, customer, card);
    return customer;
  };

  return {
    /** The server's clock in Unix seconds. */
    now: () => core.now(),

    findCheckout: (session: string, buyer?: Business) => findCheckout(core, session, buyer),
    /** @throws StripeApiError 400 when the session is complete or expired */
    payCheckout: (session: string, card: CardDetails, buyer?: Business) =>
      orDeclined(() => {
        if (buyer) saveBusiness(core, session, buyer);
        return payCheckout(core, session, card, buyer);
      }),
    findChallenge: (challenge: string) => findChallenge(core, challenge),
    /**
     * Completes a 3-D Secure challenge. The next page is, after success, the success URL or the portal, and after a
     * refusal the page that created the challenge. A second answer has no effect and returns the first result.
     */
    answerChallenge: (challenge: string, accept: boolean) =>
      core.perform(() => answerChallenge(core, challenge, accept)),

    findPortal: (session: string) => portalView(core, session),
    portalPreviewChange: (session: string, price: string) => previewChange(core, session, price),
    /** Changes the plan as `portalPreviewChange` says; when the card is declined, nothing changes. */
    portalChangePlan: (session: string, price: string) => orDeclined(() => changePlan(core, session, price)),
    portalUndoSchedule: (session: string) => core.perform(() => undoSchedule(core, session)),
    portalCancel: (session: string) => core.perform(() => cancel(core, session)),
    portalResume: (session: string) => core.perform(() => resume(core, session)),
    /** Adds a card and makes it the default. */
    portalAddCard: (session: string, card: CardDetails) => orDeclined(() => addCard(core, session, card)),
    portalSetDefaultCard: (session: string, card: string) =>
      core.perform(() => makeDefaultCard(core, ownCard(session, card), card)),
    portalRemoveCard: (session: string, card: string) =>
      core.perform(() => {
        ownCard(session, card);
        detach(core, card);
      }),
    portalPayInvoice: (session: string, invoice: string) =>
      core.perform(() => payInvoiceInPortal(core, session, invoice)),

    findInvoice(id: string) {
      const invoice = store.get('invoice', id);
      if (invoice === undefined) return undefined;
      return { invoice, customer: store.get('customer', invoice.customer) };
    },
    listCustomers: (limit = 100) => store.list('customer', {}, limit),
    listSubscriptions: () => store.list('subscription', {}, 100),
    listInvoices: (limit = 100) => store.list('invoice', {}, limit),
    listEvents: (limit: number) => store.list('event', {}, limit),
    listDeliveries: (limit: number) => listDeliveries(store, limit),
    listProducts: () => store.list('product'),
    /** Moves the clock and does what is due; resolves when all webhooks of it were delivered or given up. */
    async advance(step: ClockStep) {
      moveClock(core, targetOf(core, step));
      await dispatcher.settled(webhookTimeoutMs);
      return { now: core.now() };
    },
  };
}

function findCheckout(core: Core, sessionId: string, buyer?: Business): CheckoutView | undefined {
  const session = core.store.get('checkout.session', sessionId);
  if (session === undefined) return undefined;
  const price = priceOf(core, session);
  const product = core.getOrThrow('product', price.product);
  const totals = checkoutTotals(core, session, price, buyer);
  return { session, price, product, totals, customer: core.store.get('customer', session.customer) };
}

const priceOf = (core: Core, { id }: CheckoutSession) => core.getOrThrow('price', termsOf(core, id).price);

/** @throws StripeApiError 402 when the charge is declined */
function payCheckout(core: Core, sessionId: string, details: CardDetails, buyer?: Business): PaymentOutcome {
  const session = getOpenCheckout(core, sessionId);
  const typed = saveTypedCard(core, details);
  if ('declined' in typed) return { outcome: 'declined', ...typed.declined };
  if (typed.needsChallenge) {
    const challenge = createChallenge(core, {
      purpose: 'checkout',
      session: sessionId,
      paymentMethod: typed.method.id,
      invoice: null,
      amount: checkoutTotals(core, session, priceOf(core, session), buyer).amountDue,
      currency: session.currency,
    });
    return { outcome: 'authenticate', challengeId: challenge.id };
  }
  const complete = completeCheckout(core, sessionId, typed.method.id, 'on-session');
  return { outcome: 'paid', redirectUrl: successUrlOf(complete) };
}
