/** What the portal shows. */
import type { Core } from '../../core/core.ts';
import type { Subscription } from '../../objects.ts';
import type { PortalView } from '../../views.ts';
import { itemOf, nextCard, runningSubscription } from '../subscriptions.ts';
import { offersFor } from './offers.ts';

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
