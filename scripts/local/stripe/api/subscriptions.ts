/** `/v1/subscriptions`. */
import { z } from 'zod';
import { cancelNow } from '../billing/cancellation.ts';
import { changeSubscription } from '../billing/change.ts';
import { assertCardOf } from '../billing/customers.ts';
import { createSubscription, itemOf } from '../billing/subscriptions.ts';
import type { Api } from './api.ts';
import {
  flag,
  integer,
  list,
  metadata,
  newMetadata,
  nonEmptyText,
  paymentBehavior,
  prorationBehavior,
  quantity,
  text,
  timeOrNow,
} from './fields.ts';
import { itemChange, requestedItemChange } from './subscription-items.ts';

const daySeconds = 86_400;

const updateFields = z.strictObject({
  items: list(itemChange).optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: integer.optional(),
  billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
  payment_behavior: paymentBehavior.optional(),
  trial_end: z.literal('now').optional(),
  cancel_at_period_end: flag.optional(),
  cancel_at: z.literal('').optional(),
  cancellation_details: z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional(),
  metadata: metadata.optional(),
  default_payment_method: text.optional(),
  description: text.optional(),
  off_session: flag.optional(),
});

/** Adds the calls for subscriptions. */
export function addSubscriptionRoutes(api: Api): void {
  const { core } = api;
  const { store } = core;

  api.post(
    '/v1/subscriptions',
    z.strictObject({
      customer: nonEmptyText,
      items: z.array(z.strictObject({ price: nonEmptyText, quantity: quantity.default(1) })).length(1),
      metadata: newMetadata.optional(),
      default_payment_method: nonEmptyText.optional(),
      trial_period_days: integer.pipe(z.number().min(0).max(730)).optional(),
      trial_end: timeOrNow.optional(),
      cancel_at_period_end: flag.optional(),
      description: text.optional(),
      off_session: flag.optional(),
      collection_method: z.literal('charge_automatically').optional(),
      proration_behavior: prorationBehavior.optional(),
      payment_behavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
      payment_settings: z.record(z.string(), z.unknown()).optional(),
    }),
    (input) => {
      core.getOrThrow('customer', input.customer, 'customer');
      const card = input.default_payment_method;
      if (card !== undefined) assertCardOf(core, input.customer, card);
      const [item] = input.items as [(typeof input.items)[number]];
      const trialEnd =
        typeof input.trial_end === 'number'
          ? input.trial_end
          : input.trial_period_days
            ? core.now() + input.trial_period_days * daySeconds
            : null;
      return createSubscription(core, {
        customer: input.customer,
        price: core.getOrThrow('price', item.price, 'items[0][price]'),
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
  api.retrieve('/v1/subscriptions/:id', (id) => core.getOrThrow('subscription', id));
  api.post('/v1/subscriptions/:id', updateFields, (input, { id }) => {
    const subscription = core.getOrThrow('subscription', id as string);
    return changeSubscription(core, subscription.id, {
      item: requestedItemChange(core, subscription, input.items),
      prorationBehavior: input.proration_behavior,
      prorationDate: input.proration_date,
      billingCycleAnchor: input.billing_cycle_anchor?.type,
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
      customer: nonEmptyText.optional(),
      price: nonEmptyText.optional(),
      status: nonEmptyText.optional(),
      test_clock: nonEmptyText.optional(),
      collection_method: nonEmptyText.optional(),
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
}
