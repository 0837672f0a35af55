import { plans, type SubscriptionView } from '#contract';
import type { Dates } from '#web/lib/dates.ts';
import { formatPrice } from '#web/lib/price.ts';
import { usedFreeImages } from './free-images.ts';
import type { PlanGate } from './plan-gate.ts';

interface PlanGateLabels {
  title: string;
  text: string;
  /** The button that resolves it. */
  action: 'choose' | 'subscribe' | 'upgrade' | 'portal' | 'contact' | 'none';
}

const unlimitedPlan = Object.values(plans).find(({ monthlyGenerations }) => monthlyGenerations === null);
const unlimitedText = unlimitedPlan ? ` ${unlimitedPlan.name} has no monthly limit.` : '';

/** The texts of a plan gate, and the action that it offers. */
export function planGateLabels(gate: PlanGate, subscription: SubscriptionView, dates: Dates): PlanGateLabels {
  const renewal =
    subscription.currentPeriodEnd && !subscription.cancelAtPeriodEnd
      ? dates.day(subscription.currentPeriodEnd)
      : null;
  switch (gate) {
    case 'NO_SUBSCRIPTION':
      return noSubscriptionLabels(subscription);
    case 'PAYMENT_OVERDUE':
      return {
        title: 'Your last payment failed',
        text: 'Update your payment method to generate images again.',
        action: 'portal',
      };
    case 'PAYMENT_RETURNED':
      return {
        title: "This month's payment was refunded or disputed",
        text: renewal
          ? `You can generate images again after your plan renews on ${renewal}.`
          : 'Your plan will not renew. You can subscribe again once it has ended.',
        action: 'none',
      };
    case 'FAIR_USE':
      return {
        title: 'Fair-use limit reached',
        text: `You have reached the fair-use limit of your plan for this month. Contact us if you need more${renewal ? `, or wait until ${renewal}` : ''}.`,
        action: 'contact',
      };
    case 'NO_CREDITS':
      return {
        title: 'You have no images left',
        text: `${renewal ? renewalText(subscription, renewal) : 'Your plan will not renew.'}${unlimitedText}`,
        action: 'upgrade',
      };
  }
}

function noSubscriptionLabels(subscription: SubscriptionView): PlanGateLabels {
  const used = usedFreeImages(subscription);
  if (used) return { title: used, text: 'Choose a plan to create more.', action: 'choose' };
  if (subscription.freeImages.due) {
    return {
      title: 'Your free images come later',
      text: 'Many accounts in your network got theirs today. Sign in again tomorrow, or choose a plan now.',
      action: 'choose',
    };
  }
  const plan = plans[subscription.plan];
  return {
    title: 'No active subscription found',
    text: `${plan.name} is ${formatPrice(plan.monthlyPriceCents)} a month: ${lowerFirst(plan.features[0]?.name ?? '')}.`,
    action: 'subscribe',
  };
}

/** The images that the renewal brings: those of the next plan if the plan changes then. */
function renewalText({ plan, nextPlan }: SubscriptionView, renewal: string): string {
  const { monthlyGenerations } = plans[nextPlan?.plan ?? plan];
  return `You get ${monthlyGenerations ?? 'unlimited'} images when your plan renews on ${renewal}.`;
}

/** Lower-cases the first letter, except of an abbreviation. */
function lowerFirst(text: string): string {
  return text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}
