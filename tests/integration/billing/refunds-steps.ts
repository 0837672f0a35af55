/** Shared by the tests of refunds and disputes. */
import { idOf } from '#shared/billing/catalogue.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf } from '#tests/support/subscriber.ts';
import { testWithStack } from '#tests/support/test.ts';

export const test = testWithStack();

test.beforeEach(({ stack }) => stack.stripe.reset());

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
