/** The customer portal: sessions, and what a customer does in them. */
import type { Core } from '../core/core.ts';
import { newId } from '../core/store.ts';
import type { CardDetails, ChangePreview, Offer, PortalOutcome, PortalView } from '../engine.ts';
import { invalidRequest, StripeApiError } from '../errors.ts';
import type { PortalConfiguration, PortalSession, Price, Subscription } from '../objects.ts';
import { cancelNow } from './cancellation.ts';
import { ask } from './challenges.ts';
import { changeSubscription, type ProrationBehavior } from './change.ts';
import { collect } from './collection.ts';
import { adoptCard, typedCard } from './portal-cards.ts';
import { configurationFor } from './portal-settings.ts';
import { previewInvoice } from './preview.ts';
import { createSchedule, releaseSchedule, updateSchedule } from './schedules.ts';
import { itemOf, nextCard, runningSubscription } from './subscriptions.ts';

/** Creates a portal session for a customer. */
export function createPortalSession(
  core: Core,
  params: {
    customer: string;
    returnUrl?: string | undefined;
    configuration?: string | undefined;
    flow?: PortalSession['flow'];
    locale?: string | undefined;
  },
): PortalSession {
  core.need('customer', params.customer, 'customer');
  const configuration = configurationFor(core, params.configuration);
  const id = newId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: core.now(),
    customer: params.customer,
    customer_account: null,
    flow: params.flow ?? null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.returnUrl ?? configuration.default_return_url,
    url: `${core.origin}/p/session/${id}`,
  };
  return core.create(session, 'billing_portal.session.created');
}

/** Everything that the portal shows. */
export function portalView(core: Core, sessionId: string): PortalView | undefined {
  const session = core.store.get('billing_portal.session', sessionId);
  const customer = session && core.store.get('customer', session.customer);
  if (session === undefined || customer === undefined) return undefined;
  const configuration = core.need('billing_portal.configuration', session.configuration);
  const subscription = runningSubscription(core, customer.id) ?? null;
  const schedule =
    subscription?.schedule == null ? null : core.need('subscription_schedule', subscription.schedule);
  return {
    session,
    configuration,
    customer,
    subscription,
    product: subscription && core.need('product', itemOf(subscription).price.product),
    schedule,
    pendingChange: subscription && pendingChange(core, subscription),
    offers: subscription === null ? [] : offersFor(core, configuration, subscription),
    invoices: core.store.list('invoice', { customer: customer.id }),
    cards: core.store.list('payment_method', { customer: customer.id }),
    defaultCard: nextCard(core, customer.id),
  };
}

function pendingChange(core: Core, subscription: Subscription): PortalView['pendingChange'] {
  if (subscription.schedule === null) return null;
  const schedule = core.need('subscription_schedule', subscription.schedule);
  const next = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date);
  const id = next?.items[0]?.price;
  if (next === undefined || typeof id !== 'string') return null;
  const price = core.need('price', id);
  return { price, product: core.need('product', price.product), at: next.start_date };
}

function offersFor(core: Core, configuration: PortalConfiguration, subscription: Subscription): Offer[] {
  const { enabled, products } = configuration.features.subscription_update;
  if (!enabled) return [];
  const current = itemOf(subscription).price;
  return (products ?? []).flatMap((offered) =>
    offered.prices
      .map((id) => core.need('price', id))
      .filter((price) => price.active || price.id === current.id)
      .map((price) => ({
        price,
        product: core.need('product', price.product),
        current: price.id === current.id,
        when: whenFor(configuration, current, price),
      })),
  );
}

/**
 * Whether a change takes effect at once. The configuration can postpone a change to a lower price or a shorter
 * interval to the end of the period.
 */
function whenFor(configuration: PortalConfiguration, from: Price, to: Price): Offer['when'] {
  const { conditions } = configuration.features.subscription_update.schedule_at_period_end;
  const order = ['day', 'week', 'month', 'year'];
  const length = (price: Price) =>
    order.indexOf(price.recurring.interval) * 100 + price.recurring.interval_count;
  const waits = conditions.some(
    ({ type }) =>
      (type === 'decreasing_item_amount' && to.unit_amount < from.unit_amount) ||
      (type === 'shortening_interval' && length(to) < length(from)),
  );
  return waits ? 'period_end' : 'now';
}

/** The session with its configuration and subscription. @throws StripeApiError when there is nothing to change */
function atHand(core: Core, sessionId: string) {
  const session = core.need('billing_portal.session', sessionId);
  const subscription = runningSubscription(core, session.customer);
  if (subscription === undefined) throw invalidRequest('There is no subscription to change.');
  return {
    session,
    subscription,
    configuration: core.need('billing_portal.configuration', session.configuration),
  };
}

function offered(core: Core, sessionId: string, priceId: string) {
  const known = atHand(core, sessionId);
  const offer = offersFor(core, known.configuration, known.subscription).find(
    (each) => each.price.id === priceId,
  );
  if (offer === undefined) throw invalidRequest('This plan is not offered here.', 'price');
  if (offer.current) throw invalidRequest('This is the current plan.', 'price');
  return { ...known, offer };
}

/** What a change costs and when it takes effect. */
export function previewChange(core: Core, sessionId: string, priceId: string): ChangePreview {
  const { subscription, configuration, offer } = offered(core, sessionId, priceId);
  const { price, product } = offer;
  if (offer.when === 'period_end') {
    const at = itemOf(subscription).current_period_end;
    return { when: offer.when, at, amountDue: 0, currency: price.currency, lines: [], price, product };
  }
  const behavior = configuration.features.subscription_update.proration_behavior;
  const invoice = previewInvoice(core, subscription.id, {
    item: { price },
    prorationBehavior: behavior === 'none' ? 'none' : 'always_invoice',
  });
  const now = invoice.billing_reason === 'subscription_update';
  return {
    when: 'now',
    at: core.now(),
    amountDue: now ? invoice.amount_due : 0,
    currency: price.currency,
    lines: now ? invoice.lines.data : [],
    price,
    product,
  };
}

/** Changes the plan as previewed. When the card is declined, nothing changes. */
export function changePlan(core: Core, sessionId: string, priceId: string): PortalOutcome {
  const { subscription, configuration, offer } = offered(core, sessionId, priceId);
  if (subscription.schedule !== null) releaseSchedule(core, subscription.schedule);
  if (subscription.cancel_at_period_end) resume(core, sessionId);
  if (offer.when === 'period_end') {
    scheduleAtPeriodEnd(core, subscription, offer.price);
    return { outcome: 'done' };
  }
  const behavior = configuration.features.subscription_update.proration_behavior;
  const { subscription: changed, collection } = changeSubscription(core, subscription.id, {
    item: { price: offer.price },
    prorationBehavior: behavior as ProrationBehavior,
    paymentBehavior: 'pending_if_incomplete',
    presence: 'on-session',
  });
  return outcomeOf(core, sessionId, changed, collection);
}

function scheduleAtPeriodEnd(core: Core, subscription: Subscription, price: Price): void {
  const item = itemOf(subscription);
  const schedule = createSchedule(core, subscription.id);
  const { current_period_start: startDate, current_period_end: endDate } = item;
  updateSchedule(core, schedule.id, {
    phases: [
      { price: item.price, quantity: item.quantity, startDate, endDate },
      { price, quantity: item.quantity, startDate: endDate, prorationBehavior: 'none' },
    ],
  });
}

function outcomeOf(
  core: Core,
  sessionId: string,
  subscription: Subscription,
  collection: ReturnType<typeof changeSubscription>['collection'],
): PortalOutcome {
  const result = collection?.result;
  if (collection === undefined || result === undefined || result.outcome === 'paid')
    return { outcome: 'done' };
  if (result.outcome === 'declined') {
    // Nothing of a declined change is kept: the error rolls back the surrounding transaction.
    const { code, declineCode: decline_code, message } = result;
    throw new StripeApiError(402, {
      type: 'card_error',
      code,
      message,
      ...(decline_code === null ? {} : { decline_code }),
    });
  }
  const { invoice } = collection;
  const challenge = ask(core, {
    purpose: 'invoice',
    session: sessionId,
    paymentMethod: nextCard(core, subscription.customer) as string,
    invoice: invoice.id,
    amount: invoice.amount_due,
    currency: invoice.currency,
  });
  return { outcome: 'authenticate', challengeId: challenge.id };
}

/** Removes a change that was scheduled for the end of the period. */
export function undoSchedule(core: Core, sessionId: string): void {
  const { subscription } = atHand(core, sessionId);
  if (subscription.schedule === null) throw invalidRequest('No change is planned.');
  releaseSchedule(core, subscription.schedule);
}

/** Cancels as the configuration says, after removing any scheduled change. */
export function cancel(
  core: Core,
  sessionId: string,
  details: { feedback?: string | undefined; comment?: string | undefined },
): void {
  const { subscription, configuration } = atHand(core, sessionId);
  const { enabled, mode, proration_behavior: behavior } = configuration.features.subscription_cancel;
  if (!enabled) throw invalidRequest('This configuration does not let customers cancel.');
  if (mode === 'immediately') {
    cancelNow(core, subscription.id, {
      ...details,
      prorate: behavior !== 'none',
      invoice_now: behavior === 'always_invoice',
    });
    return;
  }
  if (subscription.schedule !== null) releaseSchedule(core, subscription.schedule);
  changeSubscription(core, subscription.id, { cancelAtPeriodEnd: true, cancellationDetails: details });
}

/** Withdraws a cancellation at the end of the period. */
export function resume(core: Core, sessionId: string): void {
  const { subscription } = atHand(core, sessionId);
  changeSubscription(core, subscription.id, { cancelAtPeriodEnd: false });
}

/** Adds a card and makes it the default. */
export function addCard(core: Core, sessionId: string, details: CardDetails): PortalOutcome {
  const session = core.need('billing_portal.session', sessionId);
  const typed = typedCard(core, details);
  if ('declined' in typed) return { outcome: 'declined', ...typed.declined };
  if (!typed.mustAsk) {
    adoptCard(core, session.customer, typed.method.id);
    return { outcome: 'done' };
  }
  const challenge = ask(core, {
    purpose: 'card',
    session: sessionId,
    paymentMethod: typed.method.id,
    invoice: null,
    amount: 0,
    currency: core.need('customer', session.customer).currency ?? 'usd',
  });
  return { outcome: 'authenticate', challengeId: challenge.id };
}

/** Pays an open invoice of the customer with the default card. */
export function payInvoiceInPortal(core: Core, sessionId: string, invoiceId: string): PortalOutcome {
  const session = core.need('billing_portal.session', sessionId);
  const invoice = core.need('invoice', invoiceId);
  if (invoice.customer !== session.customer || invoice.status !== 'open') {
    throw invalidRequest('This invoice cannot be paid here.', 'invoice');
  }
  const { result } = collect(core, invoice, { presence: 'on-session' });
  if (result.outcome !== 'authenticate') return result.outcome === 'paid' ? { outcome: 'done' } : result;
  const challenge = ask(core, {
    purpose: 'invoice',
    session: sessionId,
    paymentMethod: nextCard(core, session.customer) as string,
    invoice: invoice.id,
    amount: invoice.amount_due,
    currency: invoice.currency,
  });
  return { outcome: 'authenticate', challengeId: challenge.id };
}
