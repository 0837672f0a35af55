import { paths, type SubscriptionView, subscriptionViewSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Has the server read the subscription from Stripe; at most ten times a minute. @throws ApiError */
export function fetchSubscription(signal?: AbortSignal): Promise<SubscriptionView> {
  return callApi('GET', paths.subscription, subscriptionViewSchema, { signal });
}
