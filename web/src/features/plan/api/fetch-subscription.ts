import { paths, type SubscriptionView, subscriptionViewSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The subscription as Stripe has it now; rate limited to ten a minute. @throws ApiError */
export function fetchSubscription(signal?: AbortSignal): Promise<SubscriptionView> {
  return callApi('GET', paths.subscription, subscriptionViewSchema, { signal });
}
