import type { SubscriptionView } from '#contract';
import { serverNow } from './clock.ts';

/** Images that the daily limit allows today; null without a limit. What was read before the day began is not of this day. */
export function leftToday({ dailyLimit: limit }: SubscriptionView): number | null {
  if (!limit) return null;
  return serverNow() < Date.parse(limit.renewsAt) ? limit.left : limit.images;
}
