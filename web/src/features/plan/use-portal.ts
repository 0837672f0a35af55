import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { messageOrFallback } from '#web/lib/api.ts';
import { openPortal } from './api/open-portal.ts';
import { useRedirect } from './use-redirect.ts';

/** Opens the billing portal. */
export function usePortal() {
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending } = useMutation({
    mutationFn: openPortal,
    networkMode: 'always',
    onSuccess: ({ url }) => redirectTo(url),
    onError: (error) => toast.error(messageOrFallback(error, 'Failed to manage subscription')),
  });
  return { open: () => mutate(), busy: isPending || redirecting };
}
