import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { CheckoutOrigin, PlanId } from '#contract';
import { messageOrFallback } from '#web/lib/api.ts';
import { cacheSubscription } from '#web/lib/live/cache.ts';
import { subscribe } from './api/subscribe.ts';
import { useRedirect } from './use-redirect.ts';

interface SubscribeOptions {
  /** Called when the plan was changed. */
  onChanged?: () => void;
  /** The page to which a checkout returns. */
  returnTo: CheckoutOrigin;
}

/**
 * Selects a plan: opens the checkout if there is no subscription, else changes the plan.
 * @returns `pendingPlan`: the plan that is being selected; `error`: why the last selection failed
 */
export function useSubscribe({ onChanged, returnTo }: SubscribeOptions) {
  const client = useQueryClient();
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: (planId: PlanId) => subscribe({ planId, returnTo }),
    networkMode: 'always',
    onSuccess: (reply) => {
      if ('url' in reply) return redirectTo(reply.url);
      cacheSubscription(client, reply.subscription);
      toast.success('Subscription updated successfully!');
      onChanged?.();
    },
  });
  return {
    selectPlan: mutate,
    pendingPlan: isPending || redirecting ? (variables ?? null) : null,
    error: error === null ? null : messageOrFallback(error, 'Failed to update subscription plan'),
    clearError: reset,
  };
}
