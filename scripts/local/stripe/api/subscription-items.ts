/** `/v1/subscription_items`. */
import { z } from 'zod';
import { type ChangeParams, changeSubscription } from '../billing/change.ts';
import { itemOf } from '../billing/subscriptions.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import type { Subscription } from '../objects.ts';
import type { Api } from './api.ts';
import { nonEmptyText, paymentBehavior, prorationBehavior, quantity } from './fields.ts';

/** The changes that an update can make to the subscription's only item. */
export const itemChange = z.strictObject({
  id: nonEmptyText.optional(),
  price: nonEmptyText.optional(),
  quantity: quantity.optional(),
});

/**
 * The item change that the `items` parameter asks for.
 * @throws StripeApiError 400 for an unknown item id, or for a second item
 */
export function requestedItemChange(
  core: Core,
  subscription: Subscription,
  items: z.output<typeof itemChange>[] | undefined,
): ChangeParams['item'] {
  if (items === undefined || items.length === 0) return undefined;
  const [item, ...more] = items as [z.output<typeof itemChange>];
  const current = itemOf(subscription);
  if (more.length > 0 || item.id === undefined) {
    throw invalidRequest(
      'A subscription has exactly one item here: name it by its id to change it.',
      'items[0][id]',
    );
  }
  if (item.id !== current.id) throw noSuch('subscription item', item.id, 'items[0][id]');
  return {
    ...(item.price === undefined ? {} : { price: core.getOrThrow('price', item.price, 'items[0][price]') }),
    ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
  };
}

/** Adds the calls for subscription items. */
export function addSubscriptionItemRoutes(api: Api): void {
  const { core } = api;

  api.list(
    '/v1/subscription_items',
    z.strictObject({ subscription: nonEmptyText }),
    ({ subscription }) => core.getOrThrow('subscription', subscription, 'subscription').items.data,
  );
  const holderOf = (id: string): Subscription => {
    const found = core.store.list('subscription').find((each) => itemOf(each).id === id);
    if (found === undefined) throw noSuch('subscription_item', id);
    return found;
  };
  api.retrieve('/v1/subscription_items/:id', (id) => ({ ...itemOf(holderOf(id)) }));
  api.post(
    '/v1/subscription_items/:id',
    itemChange.extend({
      id: z.never().optional(),
      proration_behavior: prorationBehavior.optional(),
      payment_behavior: paymentBehavior.optional(),
    }),
    (input, { id }) => {
      const { subscription } = changeSubscription(core, holderOf(id as string).id, {
        item: {
          ...(input.price === undefined ? {} : { price: core.getOrThrow('price', input.price, 'price') }),
          ...(input.quantity === undefined ? {} : { quantity: input.quantity }),
        },
        prorationBehavior: input.proration_behavior,
        paymentBehavior: input.payment_behavior,
      });
      return { ...itemOf(subscription) };
    },
  );
}
