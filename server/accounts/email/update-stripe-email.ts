import type { ServerContext } from '#server/http/context.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/** Tells Stripe a seller's new address, for receipts. Not awaited: a change of address does not depend on Stripe. */
export function updateStripeEmail(
  { billing, log }: ServerContext,
  { stripe_customer_id: customer }: Pick<ProfileRow, 'stripe_customer_id'>,
  email: string,
): void {
  if (!customer) return;
  billing.stripe.customers.update(customer, { email }).catch((error) => {
    log.warn({ err: error, customer }, 'a new address could not be saved at Stripe');
  });
}
