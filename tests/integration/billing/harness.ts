/** Shared by the billing tests: subscriptions, and cards that fail. */
import type { SubscriptionView } from '#contract';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { profileOf } from '#tests/support/subscriber.ts';

/** Test cards. A failing card can be attached, and every charge of it fails. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  failing: '4000000000000341',
} as const;

/** Replaces the card of a seller who has a customer at Stripe. */
export async function setCard(stack: TestStack, seller: Seller, card: string): Promise<void> {
  await stack.stripe.setCard((await profileOf(stack, seller)).stripe_customer_id!, card);
}

export async function subscriptionOf(seller: Seller): Promise<SubscriptionView> {
  return (await seller.me()).subscription;
}
