import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { messageOrFallback } from '#web/lib/api.ts';
import { openPortal } from './api/open-portal.ts';
import { useRedirect } from './use-redirect.ts';

/** Opens the billing portal. @param failed shown for an error without a message of its own */
export function usePortal(failed = 'Failed to open billing portal') {
  const { redirecting, redirectTo } = useRedirect();
  const { mutate, isPending } = useMutation({
    mutationFn: openPortal,
    networkMode: 'always',
    onSuccess: ({ url }) => redirectTo(url),
    onError: (error) => toast.error(messageOrFallback(error, failed)),
  });
  return { open: () => mutate(), busy: isPending || redirecting };
}
