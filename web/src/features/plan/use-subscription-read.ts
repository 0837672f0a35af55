import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/lib/api.ts';
import { takeSubscription } from '#web/lib/generations/cache.ts';
import { readSubscription } from './api/read-subscription.ts';

/**
 * Reads the subscription from Stripe when the page opens and when asked to; what it finds goes where every view of it
 * goes. A refusal because of too many reads is no failure: what is on the screen is seconds old.
 */
export function useSubscriptionRead() {
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['subscription-read'],
    queryFn: async ({ client, signal }) => {
      const view = await readSubscription(signal);
      takeSubscription(client, view);
      return view.revision;
    },
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    retry: false,
  });
  const tooMany = error instanceof ApiError && error.code === 'RATE_LIMITED';
  return { failed: error !== null && !tooMany, busy: isFetching, again: () => void refetch() };
}
