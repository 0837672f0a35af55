/** What a customer changes in the portal: the subscription, the card, an open invoice. */
import type { Core } from '../../core/core.ts';
import { cardError, invalidRequest } from '../../errors.ts';
import type { Price, Subscription } from '../../objects.ts';
import type { CardDetails, ChangePreview, PortalOutcome } from '../../views.ts';
import { portalCancellation } from '../cancellation.ts';
import { challengeInvoice, createChallenge } from '../challenges.ts';
import { changeSubscription, type ProrationBehavior, previewChangeInvoice } from '../change.ts';
import { collect } from '../collection.ts';
import { createSchedule, releaseSchedule, settingsOf, updateSchedule } from '../schedules.ts';
import { itemOf } from '../subscriptions.ts';
import { attachDefaultCard, getOffer, portalSubscription, saveTypedCard } from './sessions.ts';

/** What a change costs and when it takes effect. */
export function previewChange(core: Core, sessionId: string, priceId: string): ChangePreview {
  const { subscription, configuration, offer } = getOffer(core, sessionId, priceId);
  const { price, product } = offer;
  if (offer.when === 'period_end') {
    const at = itemOf(subscription).current_period_end;
    const nothing = { amountDue: 0, invoice: undefined };
    return { ...nothing, when: offer.when, at, currency: price.currency, price, product };
  }
  const behavior = configuration.features.subscription_update.proration_behavior;
  const invoice = previewChangeInvoice(core, subscription, {
    price,
    prorationBehavior: behavior as ProrationBehavior,
  });
  return {
    when: 'now',
    at: core.now(),
    amountDue: invoice?.amount_due ?? 0,
    currency: price.currency,
    invoice,
    price,
    product,
  };
}

/** Changes the plan as previewed. When the card is declined, nothing changes. A planned cancellation stays. */
export function changePlan(core: Core, sessionId: string, priceId: string): PortalOutcome {
  const { subscription, configuration, offer } = getOffer(core, sessionId, priceId);
  if (subscription.schedule !== null) releaseSchedule(core, subscription.schedule);
  if (offer.when === 'period_end') {
    scheduleAtPeriodEnd(core, subscription, offer.price);
    return { outcome: 'done' };
  }
  const behavior = configuration.features.subscription_update.proration_behavior;
  const { collection } = changeSubscription(core, subscription.id, {
    price: offer.price,
    prorationBehavior: behavior as ProrationBehavior,
    paymentBehavior: 'pending_if_incomplete',
    presence: 'on-session',
  });
  return outcomeOf(core, sessionId, collection);
}

function scheduleAtPeriodEnd(core: Core, subscription: Subscription, price: Price): void {
  const item = itemOf(subscription);
  const schedule = createSchedule(core, subscription.id);
  const { current_period_start: startDate, current_period_end: endDate } = item;
  const settings = settingsOf(subscription);
  updateSchedule(core, schedule.id, [
    { price: item.price, startDate, endDate, settings },
    { price, startDate: endDate, settings: { ...settings, trial_end: null } },
  ]);
}

function outcomeOf(
  core: Core,
  sessionId: string,
  collection: ReturnType<typeof changeSubscription>['collection'],
): PortalOutcome {
  const result = collection?.result;
  if (collection === undefined || result === undefined) return { outcome: 'done' };
  if (result.outcome === 'paid' || result.outcome === 'processing') return { outcome: 'done' };
  if (result.outcome === 'declined') {
    // Nothing of a declined change is kept: the error rolls back the surrounding transaction.
    throw cardError(result);
  }
  const challenge = challengeInvoice(core, sessionId, collection.invoice);
  return { outcome: 'authenticate', challengeId: challenge.id };
}

/** Removes a change that was scheduled for the end of the period. */
export function undoSchedule(core: Core, sessionId: string): void {
  const { subscription } = portalSubscription(core, sessionId);
  if (subscription.schedule === null) throw invalidRequest('No change is planned.');
  releaseSchedule(core, subscription.schedule);
}

/** Cancels at the end of the period, after removing any scheduled change. */
export function cancel(core: Core, sessionId: string): void {
  const { subscription, configuration } = portalSubscription(core, sessionId);
  if (!configuration.features.subscription_cancel.enabled) {
    throw invalidRequest('This configuration does not let customers cancel.');
  }
  if (subscription.schedule !== null) releaseSchedule(core, subscription.schedule);
  cancelInPortal(core, subscription.id);
}

/** Cancels at the end of the period, in the form of the subscription's billing mode. */
export function cancelInPortal(core: Core, id: string): Subscription {
  const subscription = core.getOrThrow('subscription', id);
  return core.change(subscription, portalCancellation(core, subscription), 'customer.subscription.updated');
}

/** Withdraws a cancellation at the end of the period. */
export function resume(core: Core, sessionId: string): void {
  const { subscription } = portalSubscription(core, sessionId);
  changeSubscription(core, subscription.id, { cancelAt: null });
}

/** Adds a card and makes it the default. */
export function addCard(core: Core, sessionId: string, details: CardDetails): PortalOutcome {
  const session = core.getOrThrow('billing_portal.session', sessionId);
  const typed = saveTypedCard(core, details);
  if ('declined' in typed) return { outcome: 'declined', ...typed.declined };
  if (!typed.needsChallenge) {
    attachDefaultCard(core, session.customer, typed.method.id);
    return { outcome: 'done' };
  }
  const challenge = createChallenge(core, {
    purpose: 'card',
    session: sessionId,
    paymentMethod: typed.method.id,
    invoice: null,
    amount: 0,
    currency: core.getOrThrow('customer', session.customer).currency ?? 'usd',
  });
  return { outcome: 'authenticate', challengeId: challenge.id };
}

/** Pays an open invoice of the customer with the default card. */
export function payInvoiceInPortal(core: Core, sessionId: string, invoiceId: string): PortalOutcome {
  const session = core.getOrThrow('billing_portal.session', sessionId);
  const invoice = core.getOrThrow('invoice', invoiceId);
  if (invoice.customer !== session.customer || invoice.status !== 'open') {
    throw invalidRequest('This invoice cannot be paid here.', 'invoice');
  }
  const { result } = collect(core, invoice, { presence: 'on-session' });
  if (result.outcome === 'paid' || result.outcome === 'processing') return { outcome: 'done' };
  if (result.outcome === 'declined') return result;
  const challenge = challengeInvoice(core, sessionId, invoice);
  return { outcome: 'authenticate', challengeId: challenge.id };
}
