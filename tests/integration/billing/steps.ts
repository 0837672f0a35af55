/** Random steps in the life of a subscription, and how a test performs them at Stripe. */
import fc from 'fast-check';
import type Stripe from 'stripe';
import type { PlanId } from '#contract';
import { idOf } from '#shared/billing/catalogue.ts';
import { weightedKind } from '#tests/support/operation-sequences.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { cards, checkoutSessionId, isCheckout, profileOf, requestPlan } from '#tests/support/subscriber.ts';

/** An action of a seller or an event in the subscription. `month` advances the time of all sellers. */
export type Step =
  | { kind: 'request'; plan: PlanId }
  | { kind: 'card'; works: boolean }
  | { kind: 'cancel' }
  | { kind: 'refund' }
  | { kind: 'dispute' }
  | { kind: 'decide'; outcome: 'won' | 'lost' }
  | { kind: 'month' };

const one = weightedKind({});
export const step: fc.Arbitrary<Step> = fc.oneof(
  one(4, 'request', { plan: fc.constantFrom('freelance' as const, 'enterprise' as const) }),
  one(2, 'card', { works: fc.boolean() }),
  one(2, 'cancel', {}),
  one(4, 'month', {}),
  one(1, 'refund', {}),
  one(2, 'dispute', {}),
  one(2, 'decide', { outcome: fc.constantFrom('won' as const, 'lost' as const) }),
);

/** Performs a step of one seller. A step that is not possible, such as cancelling without a plan, does nothing. */
export async function performStep(
  stack: TestStack,
  seller: Seller,
  next: Exclude<Step, { kind: 'month' }>,
): Promise<void> {
  const { stripe } = stack.server.context.billing;
  const { stripe_customer_id: customer } = await profileOf(stack, seller);
  if (next.kind === 'request') {
    const { status, body } = await requestPlan(seller, next.plan);
    if (status === 200 && 'url' in body && isCheckout(body)) {
      await stack.stripe.completeCheckout(checkoutSessionId(body));
    }
    return;
  }
  if (next.kind === 'refund' || next.kind === 'dispute' || next.kind === 'decide') {
    return customer ? moveMoney(stack, customer, next) : undefined;
  }
  const [subscription] = customer ? (await stripe.subscriptions.list({ customer })).data : [];
  if (!customer || !subscription) return;
  if (next.kind === 'cancel') {
    if (await isCancellable(stack, subscription)) await stack.stripe.cancelAtPeriodEnd(subscription.id);
  } else await stack.stripe.setCard(customer, next.works ? cards.good : cards.failing);
}

/** Refunds or disputes the newest payment, or decides its dispute. */
async function moveMoney(
  stack: TestStack,
  customer: string,
  step: Extract<Step, { kind: 'refund' | 'dispute' | 'decide' }>,
): Promise<void> {
  const { stripe } = stack.server.context.billing;
  const charge = (await stripe.charges.list({ customer })).data.find(({ paid }) => paid);
  if (!charge) return;
  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data;
  if (step.kind === 'refund' && !charge.refunded) await stripe.refunds.create({ charge: charge.id });
  if (step.kind === 'dispute' && !dispute) await stack.stripe.dispute(charge.id);
  if (step.kind === 'decide' && dispute?.status === 'needs_response') {
    await stack.stripe.closeDispute(dispute.id, step.outcome);
  }
}

/** Stripe cancels no subscription with a scheduled change. A schedule whose change has happened is released first. */
async function isCancellable(
  stack: TestStack,
  { schedule: id, items }: Stripe.Subscription,
): Promise<boolean> {
  if (id === null) return true;
  const { stripe } = stack.server.context.billing;
  const schedule = await stripe.subscriptionSchedules.retrieve(idOf(id));
  const { current_period_end: end } = items.data[0]!;
  if (schedule.phases.some((phase) => phase.start_date >= end)) return false;
  await stripe.subscriptionSchedules.release(schedule.id);
  return true;
}
