import type Stripe from 'stripe';
import { type CheckoutOrigin, type ImagePack, pages } from '#contract';
import { currency } from '#shared/billing/catalogue.ts';
import type { BillingContext } from '#shared/billing/client.ts';
import { packMetadata } from '#shared/billing/read-pack-payments.ts';
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
  /** The price of a plan, or a pack that is paid once, with how many images of packs the seller has bought before. */
  item: { priceId: string } | { pack: ImagePack; boughtBefore: number };
  /** The page to which Stripe sends the seller back. */
  returnTo: CheckoutOrigin;
  /** When no session may be created any more. */
  deadline: Date;
}

/**
 * @returns the address of a Stripe page on which the seller pays for a plan or a pack. An open page for the same, started from
 *   the same page, is returned again; others are closed first, so a seller cannot pay for two plans, or for an old price
 */
export async function checkoutUrl(
  { billing, config }: BillingContext,
  { sellerId, customer, item, returnTo, deadline }: CheckoutRequest,
): Promise<string> {
  const { sessions } = billing.stripe.checkout;
  const { tax } = config.billing;
  const named = 'pack' in item ? `pack:${item.pack.images}:${item.pack.priceCents}` : item.priceId;
  const open = await sessions.list({ customer, status: 'open', limit: 100 });
  for (const session of open.data) {
    const { price, return_to: returns } = session.metadata ?? {};
    const isSame = price === named && returns === returnTo && session.automatic_tax.enabled === tax;
    if (isSame && session.url) return session.url;
    await sessions.expire(session.id);
  }
  assertBefore(deadline);
  const returnUrl = config.linkUrl + returnPages[returnTo];
  const session = await sessions.create({
    ...('pack' in item ? packItem(sellerId, item.pack) : planItem(sellerId, item.priceId)),
    customer,
    client_reference_id: sellerId,
    metadata: { profile: sellerId, price: named, return_to: returnTo },
    ...(tax && withTax),
    success_url: `${returnUrl}?${'pack' in item ? `pack=${item.pack.images}&before=${item.boughtBefore}` : 'checkout=success'}`,
    cancel_url: `${returnUrl}?checkout=cancelled`,
  });
  if (!session.url) throw new Error(`checkout session ${session.id} has no page`);
  return session.url;
}

type Item = Pick<
  Stripe.Checkout.SessionCreateParams,
  'mode' | 'line_items' | 'subscription_data' | 'payment_intent_data' | 'invoice_creation'
>;

const planItem = (sellerId: string, priceId: string): Item => ({
  mode: 'subscription',
  line_items: [{ price: priceId, quantity: 1 }],
  subscription_data: { metadata: { profile: sellerId } },
});

/** The price is in the request: it is the one that the seller agreed to, whatever Stripe's catalogue has. */
function packItem(sellerId: string, { images, priceCents }: ImagePack): Item {
  const name = images === 1 ? '1 image' : `${images} images`;
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: priceCents,
          tax_behavior: 'exclusive',
          product_data: { name },
        },
      },
    ],
    // A business needs more than a receipt, and the billing portal lists invoices only.
    invoice_creation: { enabled: true },
    payment_intent_data: {
      description: name,
      // Readings find the payment by it.
      metadata: { profile: sellerId, [packMetadata]: String(images) },
    },
  };
}
