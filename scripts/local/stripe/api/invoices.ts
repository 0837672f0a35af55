/** `/v1/invoices`. */
import { z } from 'zod';
import { payInvoice } from '../billing/collection.ts';
import { markUncollectible, voidInvoice } from '../billing/invoices.ts';
import { getCardOf } from '../billing/payment-methods.ts';
import { previewInvoice } from '../billing/preview.ts';
import { runningSubscription } from '../billing/subscriptions.ts';
import { invalidRequest } from '../errors.ts';
import type { Api } from './api.ts';
import { flag, integer, list, nonEmptyText, prorationBehavior } from './fields.ts';
import { itemChange, requestedItemChange } from './subscription-items.ts';

/** Adds the calls for invoices. */
export function addInvoiceApiRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/invoices/create_preview',
    z.strictObject({
      customer: nonEmptyText.optional(),
      subscription: nonEmptyText.optional(),
      preview_mode: z.literal('next').optional(),
      subscription_details: z
        .strictObject({
          items: list(itemChange).optional(),
          proration_behavior: prorationBehavior.optional(),
          proration_date: integer.optional(),
          billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
          trial_end: z.literal('now').optional(),
        })
        .optional(),
    }),
    ({ customer, subscription, subscription_details: details }) => {
      if (customer === undefined && subscription === undefined) {
        throw invalidRequest('Give customer or subscription.', 'customer', 'parameter_missing');
      }
      const id = subscription ?? runningSubscription(core, customer as string)?.id;
      if (id === undefined) {
        throw invalidRequest('No upcoming invoices for customer', undefined, 'invoice_upcoming_none');
      }
      const item = requestedItemChange(
        core,
        core.getOrThrow('subscription', id, 'subscription'),
        details?.items,
      );
      return {
        ...previewInvoice(core, id, {
          item,
          prorationBehavior: details?.proration_behavior,
          prorationDate: details?.proration_date,
          billingCycleAnchor: details?.billing_cycle_anchor,
          trialEnd: details?.trial_end,
        }),
      };
    },
  );
  api.retrieve('/v1/invoices/:id', (id) => core.getOrThrow('invoice', id));
  api.get('/v1/invoices/:id/lines', z.object({}), (_input, { id }) => ({
    ...core.getOrThrow('invoice', id as string).lines,
  }));
  api.post(
    '/v1/invoices/:id/pay',
    z.strictObject({
      payment_method: nonEmptyText.optional(),
      off_session: flag.optional(),
      paid_out_of_band: flag.optional(),
    }),
    (input, { id }) => {
      const { customer } = core.getOrThrow('invoice', id as string);
      if (input.payment_method !== undefined) getCardOf(core, customer, input.payment_method);
      return payInvoice(core, id as string, {
        paymentMethod: input.payment_method,
        presence: input.off_session === false ? 'on-session' : 'off-session',
        outOfBand: input.paid_out_of_band,
      });
    },
  );
  api.post('/v1/invoices/:id/void', z.strictObject({}), (_input, { id }) => voidInvoice(core, id as string));
  api.post('/v1/invoices/:id/mark_uncollectible', z.strictObject({}), (_input, { id }) =>
    markUncollectible(core, id as string),
  );
  api.list(
    '/v1/invoices',
    z.strictObject({
      customer: nonEmptyText.optional(),
      subscription: nonEmptyText.optional(),
      status: nonEmptyText.optional(),
      collection_method: nonEmptyText.optional(),
    }),
    ({ customer, subscription, status }) =>
      core.store
        .list('invoice', { customer, owner: subscription })
        .filter((each) => status === undefined || each.status === status),
  );
}
