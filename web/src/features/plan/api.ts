import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import {
  type CreditEntryList,
  creditEntryListSchema,
  type PortalReply,
  paths,
  portalReplySchema,
  type SubscriptionView,
  subscriptionViewSchema,
} from '#contract';
import { ApiError, callApi, type FailureCode, messageOrFallback } from '#web/lib/api.ts';
import { saveBeforeLeaving } from '#web/lib/leaving.ts';
import { cacheSubscription } from '#web/lib/live/cache.ts';

/** The subscription as Stripe has it now; rate limited to ten a minute. @throws ApiError */
function fetchSubscription(signal?: AbortSignal): Promise<SubscriptionView> {
  return callApi('GET', paths.subscription, subscriptionViewSchema, { signal });
}

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

/** Opens a session of the billing portal. @returns its URL @throws ApiError */
function openPortal(): Promise<PortalReply> {
  return callApi('POST', paths.portalSession, portalReplySchema);
}

/** Opens the billing portal. @param failed shown for an error without a message of its own */
export function usePortal(failed = 'Failed to open billing portal') {
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending } = useMutation({
    mutationFn: openPortal,
    onSuccess: ({ url }) => redirectTo(url),
    onError: (error) => toast.error(messageOrFallback(error, failed)),
  });
  return { open: () => mutate(), busy: isPending || redirecting };
}

/** Saves the draft and redirects to a page of another site, such as a checkout; `redirecting` is true until this page is left. */
export function useRedirect(): { redirecting: boolean; redirectTo: (url: string) => void } {
  const [redirecting, setRedirecting] = useState(false);
  useEffect(() => {
    // The Back button may restore this page from the back/forward cache with its state.
    const onPageShow = (event: PageTransitionEvent) => event.persisted && setRedirecting(false);
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
  const redirectTo = (url: string) => {
    setRedirecting(true);
    void saveBeforeLeaving().then(() => location.assign(url));
  };
  return { redirecting, redirectTo };
}

/** One page of the ledger, newest first. @param cursor `nextCursor` of the previous page @throws ApiError */
export function listCreditEntries(cursor: string | null, signal?: AbortSignal): Promise<CreditEntryList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', `${paths.creditEntries}${query}`, creditEntryListSchema, { signal });
}
