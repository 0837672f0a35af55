import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, type FailureCode } from '#web/lib/api.ts';
import { cacheSubscription } from '#web/lib/live/cache.ts';
import { fetchSubscription } from './api/fetch-subscription.ts';

/** Errors whose own message says more than that loading failed. */
const explained: readonly FailureCode[] = ['RATE_LIMITED', 'PROFILE_NOT_FOUND'];

/**
 * Fetches the subscription from Stripe into the cache, when the page opens and on `refresh`. The rate limit is no failure
 * unless the seller asked: the subscription was fetched seconds ago.
 * @returns `error`: why the last fetch failed; null if it did not
 */
export function useRefreshSubscription() {
  const [asked, setAsked] = useState(false);
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
  const code = error instanceof ApiError ? error.code : null;
  const failed = error !== null && (asked || code !== 'RATE_LIMITED');
  return {
    error: failed ? refreshErrorText(error) : null,
    /** Whether it failed, or is being tried again after it did. */
    unsettled: failed || (asked && isFetching),
    refreshing: isFetching,
    refresh: async () => {
      setAsked(true);
      const { isSuccess } = await refetch();
      if (isSuccess) setAsked(false);
    },
  };
}

function refreshErrorText(error: Error): string {
  if (error instanceof ApiError && explained.includes(error.code)) return error.message;
  return 'Failed to load subscription data. What you see here may be out of date.';
}
