import type Stripe from 'stripe';
import { type PlanId, planIds, plans } from '#contract';

/** The Stripe price of each plan. */
export type Catalogue = Readonly<Record<PlanId, { priceId: string }>>;

/** Stripe's prices are missing or differ from the contract. The message names each problem, and what to do. */
export class BillingSetupError extends Error {
  override name = 'BillingSetupError';
}

/** The id of a plan's product at Stripe. It identifies the plan of a subscription, also at an older price. */
export const productId = (plan: PlanId) => `packshot_${plan}`;

/** The lookup key of a plan's current price at Stripe. */
export const priceKey = (plan: PlanId) => `packshot_${plan}_monthly`;

/** The currency of all prices. */
export const currency = 'usd';

/** @returns the plan of a product; undefined for other products */
export function planOfProduct(product: string): PlanId | undefined {
  return planIds.find((plan) => productId(plan) === product);
}

/** The id of a reference: Stripe returns the object if it was expanded, and its id otherwise. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** @returns how a price differs from the contract's plan; undefined if it does not */
export function priceProblem(plan: PlanId, price: Stripe.Price | undefined): string | undefined {
  const { name, monthlyPriceCents: cents } = plans[plan];
  const wanted = `${name} at $${cents / 100} a month`;
  if (!price) return `there is no price "${priceKey(plan)}" for ${wanted}`;
  const { recurring } = price;
  const isRight =
    price.active &&
    price.currency === currency &&
    price.unit_amount === cents &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1 &&
    idOf(price.product) === productId(plan);
  if (isRight) return undefined;
  const every = recurring ? `every ${recurring.interval_count} ${recurring.interval}` : 'once';
  const is = `${(price.unit_amount ?? 0) / 100} ${price.currency.toUpperCase()} ${every} for product ${idOf(price.product)}`;
  return `the price "${priceKey(plan)}" (${price.id}) is ${is}, not ${wanted} for product ${productId(plan)}`;
}

/** @returns the current prices of the plans at Stripe, as far as there are any */
export async function findPrices(stripe: Stripe): Promise<Partial<Record<PlanId, Stripe.Price>>> {
  const found = await stripe.prices.list({ lookup_keys: planIds.map(priceKey), active: true, limit: 100 });
  return Object.fromEntries(
    planIds.flatMap((plan) => {
      const price = found.data.find(({ lookup_key: key }) => key === priceKey(plan));
      return price ? [[plan, price]] : [];
    }),
  );
}

/**
 * Reads the prices and compares them with the contract's plans.
 * @throws BillingSetupError when one is missing or differs; Stripe's error when it does not answer
 */
export async function readCatalogue(stripe: Stripe): Promise<Catalogue> {
  const prices = await findPrices(stripe);
  const problems = planIds.flatMap((plan) => priceProblem(plan, prices[plan]) ?? []);
  if (problems.length > 0) {
    throw new BillingSetupError(
      `Stripe does not sell what we offer: ${problems.join('; ')}. \`npm run stripe:setup\` creates what is missing.`,
    );
  }
  return Object.fromEntries(planIds.map((plan) => [plan, { priceId: prices[plan]!.id }])) as Catalogue;
}
