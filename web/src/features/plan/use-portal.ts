import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { messageOr } from '#web/lib/api.ts';
import { openPortal } from './api/open-portal.ts';
import { useRedirect } from './use-redirect.ts';

/** Manage Billing: leads to the billing portal. */
export function usePortal() {
  const [leaving, leaveTo] = useRedirect();
  const { mutate, isPending } = useMutation({
    mutationFn: openPortal,
    networkMode: 'always',
    onSuccess: ({ url }) => leaveTo(url),
    onError: (error) => toast.error(messageOr(error, 'Failed to manage subscription')),
  });
  return { open: () => mutate(), busy: isPending || leaving };
}
