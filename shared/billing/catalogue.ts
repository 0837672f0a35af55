import type Stripe from 'stripe';
import { type PlanId, planIds, plans } from '#contract';

/** What we sell, as Stripe knows it: the price of each plan. */
export type Catalogue = Readonly<Record<PlanId, { priceId: string }>>;

/** Stripe sells something else than the contract says, or lacks it: one line for each, with what to do. */
export class BillingSetupError extends Error {
  override name = 'BillingSetupError';
}

/** Stripe's id of a plan's product: it says which plan a subscription is of, whatever its price once was. */
export const productId = (plan: PlanId) => `packshot_${plan}`;

/** Stripe's lookup key of the price that a plan is sold at. */
export const priceKey = (plan: PlanId) => `packshot_${plan}_monthly`;

/** The currency of all prices. */
export const currency = 'usd';

/** @returns the plan of a product, undefined for one that is not ours */
export function planOfProduct(product: string): PlanId | undefined {
  return planIds.find((plan) => productId(plan) === product);
}

/** Stripe gives an object or, unless it was expanded, its id. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** What is wrong with a price for a plan; undefined when it is as the contract says. */
export function priceProblem(plan: PlanId, price: Stripe.Price | undefined): string | undefined {
  const { name, monthlyPriceCents: cents } = plans[plan];
  const wanted = `${name} at $${cents / 100} a month`;
  if (!price) return `there is no price "${priceKey(plan)}" for ${wanted}`;
  const { recurring } = price;
  const right =
    price.active &&
    price.currency === currency &&
    price.unit_amount === cents &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1 &&
    idOf(price.product) === productId(plan);
  if (right) return undefined;
  const every = recurring ? `every ${recurring.interval_count} ${recurring.interval}` : 'once';
  const is = `${(price.unit_amount ?? 0) / 100} ${price.currency.toUpperCase()} ${every} for product ${idOf(price.product)}`;
  return `the price "${priceKey(plan)}" (${price.id}) is ${is}, not ${wanted} for product ${productId(plan)}`;
}

/** @returns the prices that Stripe has under our lookup keys */
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
 * Holds Stripe's prices against the contract's plans.
 * @throws BillingSetupError that says what to create, or Stripe's error when it does not answer
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
