/** `/v1/coupons`, `/v1/customers/:id/tax_ids` and `/v1/invoices/create_preview`: what amounts are made of. */
import { z } from 'zod';
import { createCoupon } from '../billing/discounts.ts';
import { previewInvoice } from '../billing/preview.ts';
import { createTaxId, taxIdsOf } from '../billing/tax.ts';
import { invalidRequest } from '../errors.ts';
import type { Api } from './api.ts';
import { cancelAt, flag, integer, list, nonEmptyText, prorationBehavior, text } from './parameters.ts';
import { changedItems, requestedPrice } from './subscriptions.ts';

const percentage = z
  .string()
  .regex(/^\d{1,3}(\.\d+)?$/, 'must be a number')
  .transform(Number)
  .pipe(z.number().positive().max(100));
const positive = integer.pipe(z.number().min(1));

/** Adds these calls. */
export function addAmountRoutes(api: Api): void {
  const { core } = api;

  api.post(
    '/v1/coupons',
    z.strictObject({
      id: nonEmptyText.optional(),
      name: text.optional(),
      percent_off: percentage.optional(),
      amount_off: positive.optional(),
      currency: nonEmptyText.optional(),
      duration: z.enum(['forever', 'once', 'repeating']).default('once'),
      duration_in_months: positive.optional(),
    }),
    (input) => createCoupon(core, input),
  );
  api.retrieve('/v1/coupons/:id', (id) => core.getOrThrow('coupon', id));

  api.post(
    '/v1/customers/:id/tax_ids',
    z.strictObject({ type: z.literal('eu_vat'), value: nonEmptyText }),
    ({ value }, id) => createTaxId(core, id, value),
  );
  api.get('/v1/customers/:id/tax_ids', (id) => {
    core.getOrThrow('customer', id);
    return { object: 'list', data: taxIdsOf(core, id), has_more: false, url: `/v1/customers/${id}/tax_ids` };
  });

  api.post(
    '/v1/invoices/create_preview',
    z.strictObject({
      customer: nonEmptyText.optional(),
      subscription: nonEmptyText,
      discounts: list(z.strictObject({ discount: nonEmptyText })).optional(),
      subscription_details: z
        .strictObject({
          items: changedItems.optional(),
          proration_behavior: prorationBehavior.optional(),
          proration_date: integer.optional(),
          cancel_at: cancelAt.optional(),
          cancel_at_period_end: flag.optional(),
        })
        .default({}),
    }),
    ({ customer, subscription: id, discounts, subscription_details: details }) => {
      const subscription = core.getOrThrow('subscription', id, 'subscription');
      if (customer !== undefined && customer !== subscription.customer) {
        throw invalidRequest('The subscription does not belong to the customer.', 'subscription');
      }
      const price = requestedPrice(core, subscription, details.items ?? [], 'subscription_details[items]');
      if (price !== undefined && details.proration_behavior === undefined) {
        throw invalidRequest(
          'This server has no default for it.',
          'subscription_details[proration_behavior]',
          'parameter_missing',
        );
      }
      return previewInvoice(core, {
        subscription: id,
        price,
        prorationBehavior: details.proration_behavior,
        prorationDate: details.proration_date,
        cancelAt: details.cancel_at,
        cancelAtPeriodEnd: details.cancel_at_period_end,
        discounts,
      });
    },
  );
}
