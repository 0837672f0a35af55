import type Stripe from 'stripe';
import { type CheckoutOrigin, type PlanId, pages } from '#contract';
import type { BillingContext } from '#shared/billing/client.ts';
import { assertBefore } from './deadline.ts';

/** The pages to which Stripe sends sellers back. */
export const returnPages: Readonly<Record<CheckoutOrigin, string>> = {
  profile: pages.plan,
  studio: pages.dashboard,
};

/**
 * Tax by the address and tax ID that the page asks for. Stripe requires that both are saved with the customer: the
 * business's name replaces the seller's.
 */
const withTax = {
  automatic_tax: { enabled: true },
  tax_id_collection: { enabled: true },
  billing_address_collection: 'required',
  customer_update: { name: 'auto', address: 'auto' },
} as const satisfies Partial<Stripe.Checkout.SessionCreateParams>;

interface CheckoutRequest {
  sellerId: string;
  /** The seller's customer at Stripe. */
  customer: string;
  plan: PlanId;
  /** The page to which Stripe sends the seller back. */
  returnTo: CheckoutOrigin;
  /** When no session may be created any more. */
  deadline: Date;
}

/**
 * @returns the address of a Stripe page on which the seller pays for a plan. An open page for the same plan, started
 *   from the same page, is returned again; others are closed first, so a seller cannot pay for two plans
 */
export async function checkoutUrl(
  { billing, config }: BillingContext,
  { sellerId, customer, plan, returnTo, deadline }: CheckoutRequest,
): Promise<string> {
  const { sessions } = billing.stripe.checkout;
  const { priceId } = (await billing.catalogue())[plan];
  const { tax } = config.billing;
  const open = await sessions.list({ customer, status: 'open', limit: 100 });
  for (const session of open.data) {
    const { price, return_to: returns } = session.metadata ?? {};
    const isSame = price === priceId && returns === returnTo && session.automatic_tax.enabled === tax;
    if (isSame && session.url) return session.url;
    await sessions.expire(session.id);
  }
  assertBefore(deadline);
  const returnUrl = config.linkUrl + returnPages[returnTo];
  const session = await sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: sellerId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata: { profile: sellerId, price: priceId, return_to: returnTo },
    subscription_data: { metadata: { profile: sellerId } },
    ...(tax && withTax),
    success_url: `${returnUrl}?checkout=success`,
    cancel_url: `${returnUrl}?checkout=cancelled`,
  });
  if (!session.url) throw new Error(`checkout session ${session.id} has no page`);
  return session.url;
}
