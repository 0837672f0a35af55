/** `/v1/subscriptions`, `/v1/subscription_items`, `/v1/subscription_schedules`. */
import { z } from 'zod';
import { cancelNow } from '../billing/cancellation.ts';
import { type ChangeParams, changeSubscription } from '../billing/change.ts';
import { needOwnCard } from '../billing/customers.ts';
import { createSchedule, releaseSchedule, updateSchedule } from '../billing/schedules.ts';
import { createSubscription, itemOf } from '../billing/subscriptions.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import type { Subscription } from '../objects.ts';
import type { Api } from './api.ts';
import {
  flag,
  integer,
  list,
  metadata,
  moment,
  newMetadata,
  prorationBehavior,
  text,
  word,
} from './fields.ts';

const daySeconds = 86_400;
const quantity = integer.pipe(z.number().min(1));

/** The changes that an update can make to the subscription's only item. */
export const itemChange = z.strictObject({
  id: word.optional(),
  price: word.optional(),
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
    ...(item.price === undefined ? {} : { price: core.need('price', item.price, 'items[0][price]') }),
    ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
  };
}

const updateFields = z.strictObject({
  items: list(itemChange).optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: integer.optional(),
  billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
  trial_end: z.literal('now').optional(),
  cancel_at_period_end: flag.optional(),
  cancel_at: z.literal('').optional(),
  cancellation_details: z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional(),
  metadata: metadata.optional(),
  default_payment_method: text.optional(),
  description: text.optional(),
  off_session: flag.optional(),
});

/** Adds the calls for subscriptions and their items. */
export function addSubscriptionRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post(
    '/v1/subscriptions',
    z.strictObject({
      customer: word,
      items: z.array(z.strictObject({ price: word, quantity: quantity.default(1) })).length(1),
      metadata: newMetadata.optional(),
      default_payment_method: word.optional(),
      trial_period_days: integer.pipe(z.number().min(0).max(730)).optional(),
      trial_end: moment.optional(),
      cancel_at_period_end: flag.optional(),
      description: text.optional(),
      off_session: flag.optional(),
      collection_method: z.literal('charge_automatically').optional(),
      proration_behavior: prorationBehavior.optional(),
      payment_behavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
      payment_settings: z.record(z.string(), z.unknown()).optional(),
    }),
    (input) => {
      core.need('customer', input.customer, 'customer');
      const card = input.default_payment_method;
      if (card !== undefined) needOwnCard(core, input.customer, card);
      const [item] = input.items as [(typeof input.items)[number]];
      const trialEnd =
        typeof input.trial_end === 'number'
          ? input.trial_end
          : input.trial_period_days
            ? core.now() + input.trial_period_days * daySeconds
            : null;
      return createSubscription(core, {
        customer: input.customer,
        price: core.need('price', item.price, 'items[0][price]'),
        quantity: item.quantity,
        metadata: input.metadata ?? {},
        defaultPaymentMethod: card ?? null,
        trialEnd,
        description: input.description,
        cancelAtPeriodEnd: input.cancel_at_period_end,
        paymentBehavior: input.payment_behavior ?? 'allow_incomplete',
        presence: input.off_session === true ? 'off-session' : 'on-session',
      }).subscription;
    },
  );
  api.retrieve('/v1/subscriptions/:id', (id) => core.need('subscription', id));
  api.post('/v1/subscriptions/:id', updateFields, (input, { id }) => {
    const subscription = core.need('subscription', id as string);
    return changeSubscription(core, subscription.id, {
      item: requestedItemChange(core, subscription, input.items),
      prorationBehavior: input.proration_behavior,
      prorationDate: input.proration_date,
      billingCycleAnchor: input.billing_cycle_anchor,
      paymentBehavior: input.payment_behavior,
      trialEnd: input.trial_end,
      cancelAtPeriodEnd: input.cancel_at === '' ? false : input.cancel_at_period_end,
      cancellationDetails: input.cancellation_details,
      metadata: input.metadata,
      defaultPaymentMethod: input.default_payment_method,
      description: input.description,
      presence: input.off_session === true ? 'off-session' : 'on-session',
    }).subscription;
  });
  api.delete(
    '/v1/subscriptions/:id',
    z.strictObject({
      invoice_now: flag.optional(),
      prorate: flag.optional(),
      cancellation_details: z
        .strictObject({ comment: text.optional(), feedback: text.optional() })
        .optional(),
    }),
    ({ cancellation_details: details, ...input }, { id }) =>
      cancelNow(core, id as string, { ...input, ...details }),
  );
  api.list(
    '/v1/subscriptions',
    z.strictObject({
      customer: word.optional(),
      price: word.optional(),
      status: word.optional(),
      test_clock: word.optional(),
      collection_method: word.optional(),
    }),
    ({ customer, price, status }) =>
      store.list('subscription', { customer }).filter((each) => {
        if (price !== undefined && itemOf(each).price.id !== price) return false;
        const ended = ['canceled', 'incomplete_expired'].includes(each.status);
        // By default the list contains all subscriptions that are not canceled.
        if (status === undefined) return each.status !== 'canceled';
        return status === 'all' || (status === 'ended' ? ended : each.status === status);
      }),
  );

  api.list(
    '/v1/subscription_items',
    z.strictObject({ subscription: word }),
    ({ subscription }) => core.need('subscription', subscription, 'subscription').items.data,
  );
  const holderOf = (id: string): Subscription => {
    const found = store.list('subscription').find((each) => itemOf(each).id === id);
    if (found === undefined) throw noSuch('subscription_item', id);
    return found;
  };
  api.retrieve('/v1/subscription_items/:id', (id) => ({ ...itemOf(holderOf(id)) }));
  api.post(
    '/v1/subscription_items/:id',
    itemChange.extend({
      id: z.never().optional(),
      proration_behavior: prorationBehavior.optional(),
      payment_behavior: updateFields.shape.payment_behavior,
    }),
    (input, { id }) => {
      const { subscription } = changeSubscription(core, holderOf(id as string).id, {
        item: {
          ...(input.price === undefined ? {} : { price: core.need('price', input.price, 'price') }),
          ...(input.quantity === undefined ? {} : { quantity: input.quantity }),
        },
        prorationBehavior: input.proration_behavior,
        paymentBehavior: input.payment_behavior,
      });
      return { ...itemOf(subscription) };
    },
  );
}

const phase = z.strictObject({
  items: z.array(z.strictObject({ price: word, quantity: quantity.default(1) })).length(1),
  start_date: moment.optional(),
  end_date: moment.optional(),
  duration: z.strictObject({ interval: word, interval_count: integer.optional() }).optional(),
  iterations: quantity.optional(),
  proration_behavior: prorationBehavior.optional(),
  metadata: newMetadata.optional(),
});

/** Adds the calls for subscription schedules. */
export function addScheduleRoutes(api: Api): void {
  const { core } = api;
  const at = (value: 'now' | number | undefined) => (value === 'now' ? core.now() : value);

  api.post(
    '/v1/subscription_schedules',
    z.strictObject({ from_subscription: word, metadata: newMetadata.optional() }),
    (input) => createSchedule(core, input.from_subscription, input.metadata),
  );
  api.retrieve('/v1/subscription_schedules/:id', (id) => core.need('subscription_schedule', id));
  api.post(
    '/v1/subscription_schedules/:id',
    z.strictObject({
      phases: z.array(phase).min(1).optional(),
      end_behavior: z.enum(['release', 'cancel']).optional(),
      proration_behavior: prorationBehavior.optional(),
      metadata: metadata.optional(),
    }),
    (input, { id }) =>
      updateSchedule(core, id as string, {
        endBehavior: input.end_behavior,
        metadata: input.metadata,
        phases: input.phases?.map((each, index) => {
          const [item] = each.items as [(typeof each.items)[number]];
          return {
            price: core.need('price', item.price, `phases[${index}][items][0][price]`),
            quantity: item.quantity,
            startDate: at(each.start_date),
            endDate: at(each.end_date),
            duration: each.duration,
            iterations: each.iterations,
            prorationBehavior: each.proration_behavior,
            metadata: each.metadata,
          };
        }),
      }),
  );
  api.post(
    '/v1/subscription_schedules/:id/release',
    z.strictObject({ preserve_cancel_date: flag.optional() }),
    (_input, { id }) => releaseSchedule(core, id as string),
  );
  api.post(
    '/v1/subscription_schedules/:id/cancel',
    z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional() }),
    (input, { id }) => {
      const { subscription } = core.need('subscription_schedule', id as string);
      if (subscription === null) throw invalidRequest('This schedule has ended.');
      cancelNow(core, subscription, input);
      return core.need('subscription_schedule', id as string);
    },
  );
  api.list(
    '/v1/subscription_schedules',
    z.strictObject({ customer: word.optional(), scheduled: flag.optional() }),
    ({ customer }) => core.store.list('subscription_schedule', { customer }),
  );
}
