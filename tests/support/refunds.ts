/** Payments of sellers at the local Stripe, to be refunded or disputed. */
import { idOf } from '#shared/billing/catalogue.ts';
import type { Seller } from './seller.ts';
import type { TestStack } from './stack.ts';
import { profileOf } from './subscriber.ts';

export const stripe = (stack: TestStack) => stack.server.context.billing.stripe;

/** The charges of a seller's invoices, newest first. */
export async function chargesOf(stack: TestStack, seller: Seller): Promise<string[]> {
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  const invoices = await stripe(stack).invoices.list({ customer: customer!, expand: ['data.payments'] });
  return Promise.all(
    invoices.data.map(async ({ payments }) => {
      const intent = idOf(payments!.data[0]!.payment.payment_intent!);
      return (await stripe(stack).charges.list({ payment_intent: intent })).data[0]!.id;
    }),
  );
}
