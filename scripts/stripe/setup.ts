/** What Packshot needs at Stripe, made where it is missing. Done again it changes nothing. */
import type Stripe from 'stripe';
import { type PlanId, paths, planIds, plans } from '#contract';
import { currency, findPrices, priceKey, priceProblem, productId } from '#shared/billing/catalogue.ts';
import { eventTypes } from '#shared/billing/events.ts';
import type { SettingName } from '#shared/platform/settings.ts';

/** A key that the local Stripe takes; it opens nothing. */
export const localStripeKey = 'sk_test_packshot_local';

export interface StripeSetup {
  /** What was made or changed, a line each. */
  done: string[];
  /** What server and worker have to be told: the secret of a webhook that was made now. */
  settings: Partial<Record<SettingName, string>>;
}

/**
 * Makes products, prices, portal settings and the webhook.
 * @param publicUrl where Packshot can be reached from Stripe
 * @param moveWebhook whether a webhook that leads elsewhere is ours and moves along: so it is with a local Stripe
 * @throws Stripe's error
 */
export async function setUpStripe(
  stripe: Stripe,
  publicUrl: string,
  moveWebhook = false,
): Promise<StripeSetup> {
  const setup: StripeSetup = { done: [], settings: {} };
  const prices = {} as Record<PlanId, string>;
  for (const plan of planIds) {
    await makeProduct(stripe, plan, setup);
    prices[plan] = await makePrice(stripe, plan, setup);
  }
  await makePortal(stripe, prices, publicUrl, setup);
  await makeWebhook(stripe, `${publicUrl}${paths.stripeWebhook}`, moveWebhook, setup);
  return setup;
}

async function makeProduct(stripe: Stripe, plan: PlanId, { done }: StripeSetup): Promise<void> {
  const { name, features } = plans[plan];
  const wanted = { name: `Packshot ${name}`, description: features.join(', ') };
  const all = await stripe.products.list({ ids: [productId(plan)], limit: 1 });
  const [product] = all.data;
  if (!product) {
    await stripe.products.create({ id: productId(plan), ...wanted });
    done.push(`product ${productId(plan)} made`);
  } else if (!product.active || product.name !== wanted.name || product.description !== wanted.description) {
    await stripe.products.update(product.id, { ...wanted, active: true });
    done.push(`product ${product.id} changed`);
  }
}

/** A price never changes: another one takes its lookup key, and who pays the old one goes on paying that. */
async function makePrice(stripe: Stripe, plan: PlanId, { done }: StripeSetup): Promise<string> {
  const present = (await findPrices(stripe))[plan];
  const problem = priceProblem(plan, present);
  if (present && problem === undefined) return present.id;
  const price = await stripe.prices.create({
    product: productId(plan),
    currency,
    unit_amount: plans[plan].monthlyPriceCents,
    recurring: { interval: 'month' },
    lookup_key: priceKey(plan),
    transfer_lookup_key: true,
  });
  done.push(`price ${price.id} made: ${problem}`);
  return price.id;
}

/** Cards, invoices and cancelling; a plan changes upwards at once and downwards when the period ends, as it does here. */
async function makePortal(
  stripe: Stripe,
  prices: Record<PlanId, string>,
  publicUrl: string,
  { done }: StripeSetup,
): Promise<void> {
  const wanted = {
    business_profile: { headline: 'Packshot: your plan, cards and invoices' },
    default_return_url: `${publicUrl}/profile`,
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      customer_update: { enabled: true, allowed_updates: ['address' as const, 'tax_id' as const] },
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
    await stripe.billingPortal.configurations.update(ours.id, wanted);
  } else {
    const made = await stripe.billingPortal.configurations.create(wanted);
    done.push(`portal settings ${made.id} made`);
  }
}

async function makeWebhook(
  stripe: Stripe,
  url: string,
  move: boolean,
  { done, settings }: StripeSetup,
): Promise<void> {
  const wanted = { url, enabled_events: [...eventTypes] };
  const all = await stripe.webhookEndpoints.list({ limit: 100 });
  const present = all.data.find((endpoint) => endpoint.url === url) ?? (move ? all.data[0] : undefined);
  if (!present) {
    const made = await stripe.webhookEndpoints.create(wanted);
    done.push(`webhook ${made.id} made for ${url}`);
    if (made.secret) settings.STRIPE_WEBHOOK_SECRET = made.secret;
    return;
  }
  const same =
    present.url === url &&
    present.enabled_events.length === wanted.enabled_events.length &&
    wanted.enabled_events.every((type) => present.enabled_events.includes(type));
  if (same) return;
  await stripe.webhookEndpoints.update(present.id, wanted);
  done.push(`webhook ${present.id} changed`);
}
