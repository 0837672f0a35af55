import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import {
  type Agreement,
  type CheckoutOrigin,
  type PlanChangePreview,
  type PlanId,
  paths,
  planChangePreviewSchema,
  type Subscribe,
  type SubscribeReply,
  subscribeReplySchema,
} from '#contract';
import { ApiError, callApi, messageOrFallback } from '#web/lib/api.ts';
import { cacheSubscription } from '#web/lib/live/cache.ts';
import { useRedirect } from './api.ts';

/** Subscribes, or changes the plan. @returns the checkout's URL, or the changed subscription @throws ApiError */
function subscribe(body: Subscribe): Promise<SubscribeReply> {
  return callApi('POST', paths.subscribe, subscribeReplySchema, { body });
}

/** A plan to select, and what the seller agreed to pay for it at once. */
interface PlanSelection {
  plan: PlanId;
  agreed?: Agreement | undefined;
}

interface SubscribeOptions {
  /** Called when the plan was changed. */
  onChanged?: () => void;
  /** The page to which a checkout returns. */
  returnTo: CheckoutOrigin;
}

const previewKey = 'plan-change-preview';

/**
 * Selects a plan: opens the checkout if there is no subscription, else changes the plan.
 * @returns `pendingPlan`: the plan that is being selected; `error`: why the last selection failed
 */
export function useSubscribe({ onChanged, returnTo }: SubscribeOptions) {
  const client = useQueryClient();
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ plan, agreed }: PlanSelection) =>
      subscribe({ planId: plan, returnTo, ...(agreed && { agreed }) }),
    onSuccess: (reply) => {
      if ('url' in reply) return redirectTo(reply.url);
      cacheSubscription(client, reply.subscription);
      toast.success('Subscription updated successfully!');
      onChanged?.();
    },
    onError: (failure) => {
      if (!(failure instanceof ApiError) || failure.code !== 'AMOUNT_CHANGED') return;
      // The dialog shows the new amount.
      void client.invalidateQueries({ queryKey: [previewKey] });
    },
  });
  return {
    selectPlan: mutate,
    pendingPlan: isPending || redirecting ? (variables?.plan ?? null) : null,
    error: error === null ? null : messageOrFallback(error, 'Failed to update subscription plan'),
    clearError: reset,
  };
}

/**
 * What a change to a plan costs. It does not change while it is shown, because the seller agrees to it.
 * @param revision of the subscription: another one costs something else
 * @param isAsked false: Stripe is not asked, and there is no preview
 */
export function usePlanChangePreview(
  plan: PlanId,
  revision: number,
  isAsked = true,
): { preview: PlanChangePreview | undefined; isLoading: boolean } {
  const { data, isFetching } = useQuery({
    enabled: isAsked,
    queryKey: [previewKey, plan, revision],
    queryFn: ({ signal }) =>
      callApi(
        'GET',
        `${paths.planChangePreview}?${new URLSearchParams({ planId: plan })}`,
        planChangePreviewSchema,
        { signal },
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return { preview: data, isLoading: isFetching };
}
