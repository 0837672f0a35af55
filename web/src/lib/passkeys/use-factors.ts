import { useQuery } from '@tanstack/react-query';
import { type FactorList, factorListSchema, paths } from '#contract';
import { callApi } from '../api.ts';
import { queryKeys } from '../query-keys.ts';

/** What the account has besides its password. @throws ApiError */
function listFactors(signal?: AbortSignal): Promise<FactorList> {
  return callApi('GET', paths.passkeys, factorListSchema, { signal });
}

/** What the account has besides its password. */
export function useFactors({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.factors,
    queryFn: ({ signal }) => listFactors(signal),
    enabled,
  });
}
