/** `/v1/subscriptions` and `/v1/subscription_schedules`. */
import { z } from 'zod';
import { assertNoSchedule, cancelNow } from '../billing/cancellation.ts';
import { changeSubscription } from '../billing/change.ts';
import { assertCardOf } from '../billing/customers.ts';
import { createSchedule, type PhaseSettings, releaseSchedule, updateSchedule } from '../billing/schedules.ts';
import { createSubscription, itemOf } from '../billing/subscriptions.ts';
import type { Core } from '../core/core.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import type { Price, Subscription } from '../objects.ts';
import { type Api, noParameters } from './api.ts';
import {
  cancelAt,
  discountChoices,
  flag,
  integer,
  list,
  metadata,
  newMetadata,
  nonEmptyText,
  one,
  onlyItem,
  prorationBehavior,
} from './parameters.ts';

const daySeconds = 86_400;

/** Adds the calls for subscriptions. */
export function addSubscriptionRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/subscriptions',
    z.strictObject({
      customer: nonEmptyText,
      items: onlyItem,
      metadata: newMetadata.optional(),
      default_payment_method: nonEmptyText.optional(),
      trial_period_days: integer.pipe(z.number().min(0).max(730)).optional(),
      automatic_tax: z.strictObject({ enabled: flag }).optional(),
      discounts: discountChoices.optional(),
    }),
    (input) => {
      core.getOrThrow('customer', input.customer, 'customer');
      const card = input.default_payment_method;
      if (card !== undefined) assertCardOf(core, input.customer, card);
      return createSubscription(core, {
        customer: input.customer,
        price: core.getOrThrow('price', input.items[0]!.price, 'items[0][price]'),
        metadata: input.metadata ?? {},
        defaultPaymentMethod: card ?? null,
        trialEnd: input.trial_period_days ? core.now() + input.trial_period_days * daySeconds : null,
        automaticTax: input.automatic_tax?.enabled === true,
        discounts: input.discounts ?? [],
        presence: 'on-session',
      }).subscription;
    },
  );
  api.retrieve('/v1/subscriptions/:id', (id) => core.getOrThrow('subscription', id));
  api.post(
    '/v1/subscriptions/:id',
    z.strictObject({
      items: changedItems.optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: integer.optional(),
      billing_cycle_anchor: z.strictObject({ type: z.literal('now') }).optional(),
      payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
      cancel_at: cancelAt.optional(),
      cancel_at_period_end: flag.optional(),
      metadata: metadata.optional(),
      discounts: discountChoices.optional(),
      default_payment_method: nonEmptyText.optional(),
      automatic_tax: z.strictObject({ enabled: flag }).optional(),
    }),
    (input, id) => {
      const subscription = core.getOrThrow('subscription', id);
      const price = requestedPrice(core, subscription, input.items ?? [], 'items');
      const card = input.default_payment_method;
      if (card !== undefined) assertCardOf(core, subscription.customer, card);
      if (price !== undefined && input.proration_behavior === undefined) {
        throw invalidRequest('This server has no default for it.', 'proration_behavior', 'parameter_missing');
      }
      return changeSubscription(core, subscription.id, {
        price,
        prorationBehavior: input.proration_behavior,
        newPeriod: input.billing_cycle_anchor !== undefined,
        paymentBehavior: input.payment_behavior,
        cancelAt: input.cancel_at,
        metadata: input.metadata,
        prorationDate: input.proration_date,
        discounts: input.discounts,
        defaultPaymentMethod: card,
        automaticTax: input.automatic_tax?.enabled,
        cancelAtPeriodEnd: input.cancel_at_period_end,
        presence: 'on-session',
      }).subscription;
    },
  );
  api.delete('/v1/subscriptions/:id', (id) => {
    assertNoSchedule(core.getOrThrow('subscription', id));
    return cancelNow(core, id);
  });
  api.list(
    '/v1/subscriptions',
    z.strictObject({ customer: nonEmptyText.optional(), status: nonEmptyText.optional() }),
    ({ customer, status }) =>
      core.store.list('subscription', { customer }).filter((each) => {
        // By default the list contains all subscriptions that are not canceled.
        if (status === undefined) return each.status !== 'canceled';
        return status === 'all' || each.status === status;
      }),
  );
}

/** The items that a change names. */
export const changedItems = list(z.strictObject({ id: nonEmptyText.optional(), price: nonEmptyText }));

/** @param name of the parameter @throws StripeApiError 400 for an unknown item id, or for a second item */
export function requestedPrice(
  core: Core,
  subscription: Subscription,
  [item, ...more]: z.output<typeof changedItems>,
  name: string,
): Price | undefined {
  if (item === undefined) return undefined;
  if (more.length > 0 || item.id === undefined) {
    throw invalidRequest(
      'A subscription has exactly one item here: name it by its id to change it.',
      `${name}[0][id]`,
    );
  }
  if (item.id !== itemOf(subscription).id) throw noSuch('subscription item', item.id, `${name}[0][id]`);
  return core.getOrThrow('price', item.price, `${name}[0][price]`);
}

const phase = z.strictObject({
  items: onlyItem,
  start_date: integer.optional(),
  end_date: integer.optional(),
  duration: z.strictObject({ interval: z.literal('month'), interval_count: one }).optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  collection_method: z.literal('charge_automatically').optional(),
  default_payment_method: nonEmptyText.optional(),
  discounts: list(z.strictObject({ discount: nonEmptyText })).optional(),
  metadata: newMetadata.optional(),
  trial_end: integer.optional(),
});

function settingsOf(core: Core, customer: string, given: z.output<typeof phase>): PhaseSettings {
  const { automatic_tax, default_payment_method: method, discounts = [], metadata = {}, trial_end } = given;
  if (method !== undefined) assertCardOf(core, customer, method);
  return {
    automatic_tax: automatic_tax ?? { enabled: false },
    default_payment_method: method ?? null,
    discounts: discounts.map(({ discount }) => discount),
    metadata,
    trial_end: trial_end ?? null,
  };
}

/** Adds the calls for subscription schedules. */
export function addScheduleRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/subscription_schedules',
    z.strictObject({ from_subscription: nonEmptyText }),
    ({ from_subscription: subscription }) => createSchedule(core, subscription),
  );
  api.retrieve('/v1/subscription_schedules/:id', (id) => core.getOrThrow('subscription_schedule', id));
  api.post(
    '/v1/subscription_schedules/:id',
    z.strictObject({
      phases: z.array(phase).min(1).max(2),
      end_behavior: z.literal('release'),
      proration_behavior: z.literal('none'),
    }),
    ({ phases }, id) =>
      updateSchedule(
        core,
        id,
        phases.map((given, index) => ({
          price: core.getOrThrow('price', given.items[0]!.price, `phases[${index}][items][0][price]`),
          startDate: given.start_date,
          endDate: given.end_date,
          isOneMonth: given.duration !== undefined,
          settings: settingsOf(core, core.getOrThrow('subscription_schedule', id).customer, given),
        })),
      ),
  );
  api.post('/v1/subscription_schedules/:id/release', noParameters, (_input, id) => releaseSchedule(core, id));
}
