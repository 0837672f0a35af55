import type { ServerContext } from '#server/http/context.ts';
import { carryOutBillingOrder } from '#shared/billing/billing-orders.ts';

/**
 * Tells Stripe what was decided about a seller's billing. If Stripe does not answer, the decision stays in the profile, where
 * upkeep and the operators' page find it.
 */
export async function changeBilling(context: ServerContext, sellerId: string): Promise<void> {
  await carryOutBillingOrder(context, sellerId).catch((error: unknown) =>
    context.log.warn({ err: error, seller: sellerId }, "a seller's billing is changed later, by upkeep"),
  );
}
