/** The prices to which a customer can change in the portal. */
import type { Core } from '../../core/core.ts';
import { invalidRequest } from '../../errors.ts';
import type { PortalConfiguration, Price, Subscription } from '../../objects.ts';
import type { Offer } from '../../views.ts';
import { itemOf, runningSubscription } from '../subscriptions.ts';

/** The prices that the configuration offers for a subscription. */
export function offersFor(
  core: Core,
  configuration: PortalConfiguration,
  subscription: Subscription,
): Offer[] {
  const { enabled, products } = configuration.features.subscription_update;
  if (!enabled) return [];
  const current = itemOf(subscription).price;
  return (products ?? []).flatMap((offered) =>
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
