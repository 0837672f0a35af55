import { paths, type SubscriptionView, subscriptionViewSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Reads the subscription as it is at Stripe now; ten times a minute at most. @throws ApiError */
export function readSubscription(signal?: AbortSignal): Promise<SubscriptionView> {
  return callApi('GET', paths.subscription, subscriptionViewSchema, { signal });
}
