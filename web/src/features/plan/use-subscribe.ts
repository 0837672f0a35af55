import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { messageOr } from '#web/lib/api.ts';
import { takeSubscription } from '#web/lib/generations/cache.ts';
import { subscribe } from './api/subscribe.ts';
import { useRedirect } from './use-redirect.ts';

/**
 * Select a plan: leads to the checkout without a subscription, else changes it.
 * @param onChanged called when it is changed
 * @returns `choosing`: the plan that is under way; `problem`: why the last try failed
 */
export function useSubscribe(onChanged: () => void = () => {}) {
  const client = useQueryClient();
  const [leaving, leaveTo] = useRedirect();
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: subscribe,
    networkMode: 'always',
    onSuccess: (reply) => {
      if ('url' in reply) return leaveTo(reply.url);
      takeSubscription(client, reply.subscription);
      toast.success('Subscription updated successfully!');
      onChanged();
    },
  });
  return {
    choose: mutate,
    choosing: isPending || leaving ? (variables ?? null) : null,
    problem: error === null ? null : messageOr(error, 'Failed to update subscription plan'),
    clear: reset,
  };
}
