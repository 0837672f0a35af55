import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '#web/lib/query-keys.ts';
import { listFactors } from './list-factors.ts';

/** What the account has besides its password. */
export function useFactors({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.factors,
    queryFn: ({ signal }) => listFactors(signal),
    enabled,
  });
}
