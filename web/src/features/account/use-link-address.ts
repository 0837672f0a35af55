import { useQuery } from '@tanstack/react-query';
import { type LinkAddress, linkAddressSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

/** To which address the mail with a link was sent. @throws ApiError */
function fetchLinkAddress(token: string): Promise<LinkAddress> {
  return callApi('POST', paths.linkAddress, linkAddressSchema, { body: { token } });
}

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
