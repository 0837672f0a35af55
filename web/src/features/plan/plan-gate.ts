import { type ErrorCode, plans, type SubscriptionView } from '#contract';
import type { Dates } from '#web/lib/dates.ts';

/** What may keep a seller's plan from making an image. */
export const planGates = [
  'NO_SUBSCRIPTION',
  'PAYMENT_OVERDUE',
  'PAYMENT_RETURNED',
  'NO_CREDITS',
  'FAIR_USE',
] as const;
export type PlanGate = (typeof planGates)[number] & ErrorCode;

/**
 * What stops a seller, if anything does.
 * @param refused why the last request was refused: the server knows better than what is on the screen
 */
export function planGateOf(subscription: SubscriptionView, refused: string | null): PlanGate | null {
  const said = planGates.find((stop) => stop === refused);
  if (said) return said;
  if (!subscription.canGenerate) {
    if (['past_due', 'unpaid'].includes(subscription.status)) return 'PAYMENT_OVERDUE';
    // A plan that is alive and was paid for works, unless the money went back.
    return ['active', 'trialing'].includes(subscription.status) ? 'PAYMENT_RETURNED' : 'NO_SUBSCRIPTION';
  }
  // What is held may come back: then the button stays.
  const none = !subscription.unlimited && subscription.generationsLeft === 0;
  return none && subscription.generationsHeld === 0 ? 'NO_CREDITS' : null;
}

/** What stops a seller in words, and the way on. */
export function planGateLabels(
  stop: PlanGate,
  subscription: SubscriptionView,
  dates: Dates,
): { title: string; text: string; action: 'subscribe' | 'upgrade' | 'portal' | 'none' } {
  const plan = plans[subscription.plan];
  const renewal =
    subscription.currentPeriodEnd && !subscription.cancelAtPeriodEnd
      ? dates.day(subscription.currentPeriodEnd)
      : null;
  switch (stop) {
    case 'NO_SUBSCRIPTION':
      return {
        title: 'No active subscription found',
        text: `${plan.name} is $${plan.monthlyPriceCents / 100} a month: ${plan.features[0]?.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())}.`,
        action: 'subscribe',
      };
    case 'PAYMENT_OVERDUE':
      return {
        title: 'Your last payment failed',
        text: 'Update your payment method and you can go on at once.',
        action: 'portal',
      };
    case 'PAYMENT_RETURNED':
      return {
        title: 'The payment for this month was refunded or is disputed',
        text: renewal
          ? `Your plan will work again after its renewal on ${renewal}.`
          : 'Your plan will not renew. You can subscribe again once it has ended.',
        action: 'none',
      };
    case 'FAIR_USE':
      return {
        title: 'Fair-use limit reached',
        text: `You have reached the fair-use limit of your plan for this month. Contact us if you need more${renewal ? `, or wait for ${renewal}` : ''}.`,
        action: 'none',
      };
    case 'NO_CREDITS': {
      const { monthlyGenerations } = plan;
      const next = subscription.nextPlan
        ? plans[subscription.nextPlan.plan].monthlyGenerations
        : monthlyGenerations;
      return {
        title: 'You have no images left',
        text: renewal
          ? `${next === null ? 'New' : next} images come with the renewal on ${renewal}. Enterprise has no monthly limit.`
          : 'Your plan will not renew. Enterprise has no monthly limit.',
        action: 'upgrade',
      };
    }
  }
}
