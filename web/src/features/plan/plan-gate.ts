import type { ErrorCode, SubscriptionView } from '#contract';
import { hasFreeImages } from './free-images.ts';
import { hasPackImages } from './packs.ts';

/** Reasons why a plan allows no image; each is also an error code of a submission. */
const planGates = [
  'NO_SUBSCRIPTION',
  'PAYMENT_OVERDUE',
  'PAYMENT_RETURNED',
  'NO_CREDITS',
  'FAIR_USE',
] as const;
export type PlanGate = (typeof planGates)[number] & ErrorCode;

/**
 * Why the plan allows no image now; null if it allows one.
 * @param errorCode of the last submission; it takes precedence because the view may be outdated
 */
export function findPlanGate(subscription: SubscriptionView, errorCode: string | null): PlanGate | null {
  const refusedBy = planGates.find((gate) => gate === errorCode);
  if (refusedBy) return refusedBy;
  // They are used whenever the plan allows none.
  if (hasFreeImages(subscription) || hasPackImages(subscription)) return null;
  if (!subscription.canGenerate) {
    if (['past_due', 'unpaid'].includes(subscription.status)) return 'PAYMENT_OVERDUE';
    // A paid plan that has not ended allows images unless its payment was returned.
    return ['active', 'trialing'].includes(subscription.status) ? 'PAYMENT_RETURNED' : 'NO_SUBSCRIPTION';
  }
  // Held images may be released, so the button stays while there are any.
  const noneLeft = !subscription.unlimited && subscription.generationsLeft === 0;
  return noneLeft && subscription.generationsHeld === 0 ? 'NO_CREDITS' : null;
}
