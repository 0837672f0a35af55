/** Creates what Packshot needs in a Stripe account. Idempotent. */

import type Stripe from 'stripe';
import { type PlanId, pages, paths, planIds, plans } from '#contract';
import { currency, findPrices, priceKey, priceProblem, productId } from '#shared/billing/catalogue.ts';
import { eventTypes } from '#shared/billing/events.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';

/** The pages that the portal links to. */
const legalPages = { privacy: '/privacy', terms: '/terms' } as const;

export interface StripeSetup {
  /** What was created or changed, one line for each. */
  changes: string[];
  /** Settings for server and worker: the secret of a webhook that was created now. */
  settings: GivenSettings;
}

/**
 * Creates or updates products, prices, portal settings and the webhook.
 * @param publicUrl address at which Stripe reaches Packshot
 * @param moveWebhook whether to change the address of an existing webhook, as on a local Stripe that serves only us
 * @throws Stripe's error
 */
export async function setUpStripe(
  stripe: Stripe,
  publicUrl: string,
  moveWebhook = false,
): Promise<StripeSetup> {
  const setup: StripeSetup = { changes: [], settings: {} };
  const prices = {} as Record<PlanId, string>;
  for (const plan of planIds) {
    await ensureProduct(stripe, plan, setup);
    prices[plan] = await ensurePrice(stripe, plan, setup);
  }
  await ensurePortal(stripe, prices, publicUrl, setup);
  await ensureWebhook(stripe, `${publicUrl}${paths.stripeWebhook}`, moveWebhook, setup);
  return setup;
}

async function ensureProduct(stripe: Stripe, plan: PlanId, { changes }: StripeSetup): Promise<void> {
  const { name, features } = plans[plan];
  const desired = {
    name: `Packshot ${name}`,
    description: features.map((feature) => feature.name).join(', '),
  };
  const all = await stripe.products.list({ ids: [productId(plan)], limit: 1 });
  const [product] = all.data;
  if (!product) {
    await stripe.products.create({ id: productId(plan), ...desired });
    changes.push(`product ${productId(plan)} created`);
  } else if (
    !product.active ||
    product.name !== desired.name ||
    product.description !== desired.description
  ) {
    await stripe.products.update(product.id, { ...desired, active: true });
    changes.push(`product ${product.id} changed`);
  }
}

/** The amount of a price is immutable: a new one takes over its lookup key, and current subscribers keep paying the old one. */
async function ensurePrice(stripe: Stripe, plan: PlanId, { changes }: StripeSetup): Promise<string> {
  const present = (await findPrices(stripe))[plan];
  const problem = priceProblem(plan, present);
  if (present && problem === undefined) {
    // With STRIPE_TAX, Stripe refuses a price that does not say whether tax is included.
    if (present.tax_behavior === 'unspecified') {
      await stripe.prices.update(present.id, { tax_behavior: 'exclusive' });
      changes.push(`price ${present.id} changed: tax is added to it`);
    }
    return present.id;
  }
  const price = await stripe.prices.create({
    product: productId(plan),
    currency,
    unit_amount: plans[plan].monthlyPriceCents,
    recurring: { interval: 'month' },
    tax_behavior: 'exclusive',
    lookup_key: priceKey(plan),
    transfer_lookup_key: true,
  });
  changes.push(`price ${price.id} created: ${problem}`);
  return price.id;
}

/** The portal for cards, invoices and cancelling. An upgrade applies at once, a downgrade at the end of the period. */
async function ensurePortal(
  stripe: Stripe,
  prices: Record<PlanId, string>,
  publicUrl: string,
  { changes }: StripeSetup,
): Promise<void> {
  const desired = {
    business_profile: {
      headline: 'Packshot: your plan, cards and invoices',
      privacy_policy_url: publicUrl + legalPages.privacy,
      terms_of_service_url: publicUrl + legalPages.terms,
    },
    default_return_url: publicUrl + pages.plan,
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      customer_update: {
        enabled: true,
        allowed_updates: ['name' as const, 'address' as const, 'tax_id' as const],
      },
      subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price' as const],
        proration_behavior: 'always_invoice' as const,
        products: planIds.map((plan) => ({ product: productId(plan), prices: [prices[plan]] })),
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' as const }] },
      },
    },
    metadata: { packshot: 'portal' },
  };
  const all = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const ours = all.data.find(({ metadata }) => metadata?.packshot === 'portal');
  if (ours) {
    await stripe.billingPortal.configurations.update(ours.id, desired);
  } else {
    const created = await stripe.billingPortal.configurations.create(desired);
    changes.push(`portal settings ${created.id} created`);
  }
}

async function ensureWebhook(
  stripe: Stripe,
  url: string,
  move: boolean,
  { changes, settings }: StripeSetup,
): Promise<void> {
  const desired = { url, enabled_events: [...eventTypes] };
  const all = await stripe.webhookEndpoints.list({ limit: 100 });
  const present = all.data.find((endpoint) => endpoint.url === url) ?? (move ? all.data[0] : undefined);
  if (!present) {
    const created = await stripe.webhookEndpoints.create(desired);
    changes.push(`webhook ${created.id} created for ${url}`);
    if (created.secret) settings.STRIPE_WEBHOOK_SECRET = created.secret;
    return;
  }
  const unchanged =
    present.url === url &&
    present.enabled_events.length === desired.enabled_events.length &&
    desired.enabled_events.every((type) => present.enabled_events.includes(type));
  if (unchanged) return;
  await stripe.webhookEndpoints.update(present.id, desired);
  changes.push(`webhook ${present.id} changed`);
}
