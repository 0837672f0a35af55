/** Shared by the billing tests: comparing balances with Stripe, and cards that fail. */
import { expect } from 'vitest';
import type { SubscriptionView } from '#contract';
import { auditBilling } from '#scripts/audit/audit-billing.ts';
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

/** Expects that the audit finds nothing, and that every profile agrees with Stripe. */
export async function expectClean(stack: TestStack): Promise<void> {
  expect(await stack.audit()).toEqual([]);
  await expectStripeAgrees(stack);
}

/** As {@link expectClean}, once the generations that are under way have ended. */
export async function expectCleanSoon(stack: TestStack): Promise<void> {
  await expect.poll(() => stack.audit()).toEqual([]);
  await expectStripeAgrees(stack);
}

async function expectStripeAgrees(stack: TestStack): Promise<void> {
  const { billing, config, db } = stack.server.context;
  expect(await auditBilling(db, billing, config.billing.graceMs)).toEqual([]);
}
