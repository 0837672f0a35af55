/** Portal sessions, and what they show and offer. */
import { type Core, newId } from '../../core/core.ts';
import { invalidRequest, noSuch } from '../../errors.ts';
import type {
  PaymentMethod,
  PortalConfiguration,
  PortalFlow,
  PortalSession,
  Price,
  Subscription,
} from '../../objects.ts';
import type { CardDetails, Offer, PortalView } from '../../views.ts';
import { behaviourOf, type Decline, digitsOf } from '../cards.ts';
import { setDefaultCard } from '../customers.ts';
import { attach, createCard, getCardOf } from '../payment-methods.ts';
import { updateCurrentPhase } from '../schedules.ts';
import { isRunning, itemOf, nextCard, runningSubscription } from '../subscriptions.ts';
import { configurationFor } from './configurations.ts';

/** Creates a portal session for a customer. */
export function createPortalSession(
  core: Core,
  params: {
    customer: string;
    return_url?: string | undefined;
    configuration?: string | undefined;
    flow_data?: FlowParams | undefined;
  },
): PortalSession {
  core.getOrThrow('customer', params.customer, 'customer');
  const configuration = configurationFor(core, params.configuration);
  const id = newId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: core.now(),
    customer: params.customer,
    flow:
      params.flow_data === undefined ? null : flowOf(core, configuration, params.customer, params.flow_data),
    return_url: params.return_url ?? configuration.default_return_url,
    url: `${core.origin}/p/session/${id}`,
  };
  return core.create(session, 'billing_portal.session.created');
}

/** Parameters of a flow; redirects are the only completion that this server has. */
interface FlowParams {
  type: PortalFlow['type'];
  after_completion: PortalFlow['after_completion'];
  subscription_update_confirm?: { subscription: string; items: { id: string; price: string }[] } | undefined;
}

/** @throws StripeApiError 400 for what the configuration, or the state of the subscription, does not allow */
function flowOf(
  core: Core,
  configuration: PortalConfiguration,
  customer: string,
  { type, after_completion, subscription_update_confirm: confirm }: FlowParams,
): PortalFlow {
  const refuse = (message: string) => invalidRequest(message, 'flow_data');
  const { payment_method_update: cards, subscription_update: changes } = configuration.features;
  if (type === 'payment_method_update') {
    if (!cards.enabled) throw refuse('The configuration does not allow to update payment methods.');
    return { type, after_completion, subscription_update_confirm: null };
  }
  if (!changes.enabled) throw refuse('The configuration does not allow to update subscriptions.');
  const [item, ...more] = confirm?.items ?? [];
  if (confirm === undefined || item === undefined || more.length > 0)
    throw refuse('Exactly one item is confirmed.');
  const subscription = core.getOrThrow('subscription', confirm.subscription, 'flow_data');
  if (subscription.customer !== customer || !['active', 'trialing'].includes(subscription.status)) {
    throw refuse('This subscription cannot be updated in this session.');
  }
  if (subscription.schedule !== null) throw refuse('A schedule manages this subscription.');
  const current = itemOf(subscription);
  if (item.id !== current.id) throw noSuch('subscription item', item.id, 'flow_data');
  if (item.price === current.price.id) throw refuse('There is nothing to update.');
  if (!changes.products.some(({ prices }) => prices.includes(item.price))) {
    throw refuse('The configuration does not offer this price.');
  }
  return {
    type,
    after_completion,
    subscription_update_confirm: { subscription: subscription.id, price: item.price },
  };
}

/** Everything that the portal shows. */
export function portalView(core: Core, sessionId: string): PortalView | undefined {
  const session = core.store.get('billing_portal.session', sessionId);
  const customer = session && core.store.get('customer', session.customer);
  if (session === undefined || customer === undefined) return undefined;
  const configuration = core.getOrThrow('billing_portal.configuration', session.configuration);
  const subscription = runningSubscription(core, customer.id) ?? null;
  const schedule =
    subscription?.schedule == null ? null : core.getOrThrow('subscription_schedule', subscription.schedule);
  return {
    session,
    configuration,
    customer,
    subscription,
    product: subscription && core.getOrThrow('product', itemOf(subscription).price.product),
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
  const schedule = core.getOrThrow('subscription_schedule', subscription.schedule);
  const next = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.end_date);
  const id = next?.items[0]?.price;
  if (next === undefined || typeof id !== 'string') return null;
  const price = core.getOrThrow('price', id);
  return { price, product: core.getOrThrow('product', price.product), at: next.start_date };
}

/** The prices that the configuration offers for a subscription. */
function offersFor(core: Core, configuration: PortalConfiguration, subscription: Subscription): Offer[] {
  const { enabled, products } = configuration.features.subscription_update;
  if (!enabled) return [];
  const current = itemOf(subscription).price;
  return products.flatMap((offered) =>
    offered.prices
      .map((id) => core.getOrThrow('price', id))
      .filter((price) => price.active || price.id === current.id)
      .map((price) => ({
        price,
        product: core.getOrThrow('product', price.product),
        current: price.id === current.id,
        when: effectiveAt(configuration, current, price),
      })),
  );
}

/** Whether a change takes effect at once. The configuration can postpone a lower price to the end of the period. */
function effectiveAt(configuration: PortalConfiguration, from: Price, to: Price): Offer['when'] {
  const { conditions } = configuration.features.subscription_update.schedule_at_period_end;
  return conditions.length > 0 && to.unit_amount < from.unit_amount ? 'period_end' : 'now';
}

/** The session with its configuration and subscription. @throws StripeApiError when there is nothing to change */
export function portalSubscription(core: Core, sessionId: string) {
  const session = core.getOrThrow('billing_portal.session', sessionId);
  const subscription = runningSubscription(core, session.customer);
  if (subscription === undefined) throw invalidRequest('There is no subscription to change.');
  return {
    session,
    subscription,
    configuration: core.getOrThrow('billing_portal.configuration', session.configuration),
  };
}

/** An offered price other than the current one. @throws StripeApiError 400 when the configuration does not offer it */
export function getOffer(core: Core, sessionId: string, priceId: string) {
  const context = portalSubscription(core, sessionId);
  const offer = offersFor(core, context.configuration, context.subscription).find(
    (each) => each.price.id === priceId,
  );
  if (offer === undefined) throw invalidRequest('This plan is not offered here.', 'price');
  if (offer.current) throw invalidRequest('This is the current plan.', 'price');
  return { ...context, offer };
}

/** Attaches a card and makes it the customer's default for invoices. */
export function attachDefaultCard(core: Core, customer: string, paymentMethod: string): PaymentMethod {
  const card = attach(core, paymentMethod, customer);
  makeDefaultCard(core, customer, card.id);
  return card;
}

/** Makes one of the customer's cards the default, also for their subscriptions. */
export function makeDefaultCard(core: Core, customer: string, paymentMethod: string): void {
  getCardOf(core, customer, paymentMethod);
  setDefaultCard(core, customer, paymentMethod);
  for (const subscription of core.store.list('subscription', { customer })) {
    // A subscription's own card takes precedence over the customer's default, so it must be changed as well.
    if (!isRunning(subscription) || subscription.default_payment_method === null) continue;
    const changed = core.change(
      subscription,
      { default_payment_method: paymentMethod },
      'customer.subscription.updated',
    );
    updateCurrentPhase(core, changed);
  }
}

/** Returns the card that was typed, saved and not attached yet, or the reason for the decline. */
export function saveTypedCard(
  core: Core,
  card: CardDetails,
): { declined: Decline } | { method: PaymentMethod; needsChallenge: boolean } {
  const { saving, challenge } = behaviourOf(digitsOf(card.cardNumber));
  if (saving !== undefined) return { declined: saving };
  return { method: createCard(core, card), needsChallenge: challenge !== undefined };
}
