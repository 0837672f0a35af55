/** Implements the operations of the pages, each as one transaction on the store. */
import { answerChallenge, createChallenge, findChallenge } from './billing/challenges.ts';
import { completeCheckout, getOpenCheckout, successUrlOf, termsOf } from './billing/checkout.ts';
import { updateCustomer } from './billing/customers.ts';
import { detach, getCardOf } from './billing/payment-methods.ts';
import { makeDefaultCard, saveTypedCard } from './billing/portal/cards.ts';
import { addCard, payInvoiceInPortal } from './billing/portal/payments.ts';
import { cancel, changePlan, previewChange, resume, undoSchedule } from './billing/portal/plan-changes.ts';
import { portalView } from './billing/portal/view.ts';
import { moveClock, targetOf } from './billing/timeline.ts';
import type { Core } from './core/core.ts';
import type { CardDetails, CheckoutView, PaymentOutcome, StripeEngine } from './engine.ts';
import { StripeApiError } from './errors.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import { listDeliveries } from './webhooks/queue.ts';

/** How long `advance` waits for webhooks, so that an endpoint that is down cannot block it forever. */
const webhookTimeoutMs = 60_000;

/** Creates the engine of a server. */
export function createEngine(core: Core, dispatcher: Dispatcher): StripeEngine {
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
    now: () => core.now(),

    findCheckout: (sessionId) => findCheckout(core, sessionId),
    payCheckout: (sessionId, card) => orDeclined(() => payCheckout(core, sessionId, card)),
    findChallenge: (challengeId) => findChallenge(core, challengeId),
    answerChallenge: (challengeId, accept) => core.perform(() => answerChallenge(core, challengeId, accept)),

    findPortal: (sessionId) => portalView(core, sessionId),
    portalPreviewChange: (sessionId, priceId) => previewChange(core, sessionId, priceId),
    portalChangePlan: (sessionId, priceId) => orDeclined(() => changePlan(core, sessionId, priceId)),
    portalUndoSchedule: (sessionId) => core.perform(() => undoSchedule(core, sessionId)),
    portalCancel: (sessionId, details = {}) => core.perform(() => cancel(core, sessionId, details)),
    portalResume: (sessionId) => core.perform(() => resume(core, sessionId)),
    portalAddCard: (sessionId, card) => orDeclined(() => addCard(core, sessionId, card)),
    portalSetDefaultCard: (sessionId, card) =>
      core.perform(() => makeDefaultCard(core, ownCard(sessionId, card), card)),
    portalRemoveCard: (sessionId, card) =>
      core.perform(() => {
        ownCard(sessionId, card);
        detach(core, card);
      }),
    portalPayInvoice: (sessionId, invoiceId) =>
      core.perform(() => payInvoiceInPortal(core, sessionId, invoiceId)),
    portalUpdateCustomer: (sessionId, changes) =>
      core.perform(() => {
        updateCustomer(core, core.getOrThrow('billing_portal.session', sessionId).customer, changes);
      }),

    findInvoice(invoiceId) {
      const invoice = store.get('invoice', invoiceId);
      if (invoice === undefined) return undefined;
      return { invoice, customer: store.get('customer', invoice.customer) ?? null };
    },
    listCustomers: (limit = 100) => store.list('customer', {}, limit),
    listSubscriptions: (limit = 100) => store.list('subscription', {}, limit),
    listInvoices: (limit = 100) => store.list('invoice', {}, limit),
    listEvents: (limit = 100) => store.list('event', {}, limit),
    listDeliveries: (limit = 100) => listDeliveries(store, limit),
    listCheckoutSessions: (limit = 100) => store.list('checkout.session', {}, limit),
    listCatalog: () =>
      store
        .list('product')
        .map((product) => ({ product, prices: store.list('price', { owner: product.id }) })),
    async advance(step) {
      moveClock(core, targetOf(core.now(), step));
      await dispatcher.settled(webhookTimeoutMs);
      return { now: core.now() };
    },
  };
}

function findCheckout(core: Core, sessionId: string): CheckoutView | undefined {
  const session = core.store.get('checkout.session', sessionId);
  if (session === undefined) return undefined;
  const terms = termsOf(core, sessionId);
  const lines = terms.lines.map(({ price: id, quantity }) => {
    const price = core.getOrThrow('price', id);
    const product = core.getOrThrow('product', price.product);
    return { price, product, quantity, amount: price.unit_amount * quantity };
  });
  return {
    session,
    lines,
    customer: session.customer === null ? null : (core.store.get('customer', session.customer) ?? null),
    trialDays: terms.trialDays,
    amountDue: session.amount_total,
    currency: session.currency,
    cancelUrl: session.cancel_url,
  };
}

/** @throws StripeApiError 402 when the charge is declined */
function payCheckout(core: Core, sessionId: string, details: CardDetails): PaymentOutcome {
  const session = getOpenCheckout(core, sessionId);
  const typed = saveTypedCard(core, details);
  if ('declined' in typed) return { outcome: 'declined', ...typed.declined };
  if (typed.needsChallenge) {
    const challenge = createChallenge(core, {
      purpose: 'checkout',
      session: sessionId,
      paymentMethod: typed.method.id,
      invoice: null,
      amount: session.amount_total,
      currency: session.currency,
    });
    return { outcome: 'authenticate', challengeId: challenge.id };
  }
  const complete = completeCheckout(core, sessionId, typed.method.id, 'on-session');
  return { outcome: 'paid', redirectUrl: successUrlOf(complete) };
}
