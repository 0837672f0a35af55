import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/lib/api.ts';
import { cacheSubscription } from '#web/lib/live/cache.ts';
import { fetchSubscription } from './api/fetch-subscription.ts';

/**
 * Fetches the subscription from Stripe into the cache, when the page opens and on `refresh`. Reaching the rate limit
 * is not a failure: the subscription was fetched seconds ago.
 */
export function useRefreshSubscription() {
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['refresh-subscription'],
    queryFn: async ({ client, signal }) => {
      const view = await fetchSubscription(signal);
      cacheSubscription(client, view);
      return view.revision;
    },
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    retry: false,
  });
  const rateLimited = error instanceof ApiError && error.code === 'RATE_LIMITED';
  return { failed: error !== null && !rateLimited, refreshing: isFetching, refresh: () => void refetch() };
}
