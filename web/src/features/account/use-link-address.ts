import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '#web/lib/query-keys.ts';
import { fetchLinkAddress } from './api/fetch-link-address.ts';

/** The address to which the mail with a link was sent, for password managers. Empty until it is known, or if it cannot be. */
export function useLinkAddress(token: string): string {
  const { data } = useQuery({
    queryKey: queryKeys.linkAddress(token),
    queryFn: () => fetchLinkAddress(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    // Whether the link still works is said when the form is sent.
    retry: false,
  });
  return data?.email ?? '';
}
