import { useQuery } from '@tanstack/react-query';
import { type OperatorNow, operatorNowSchema, operatorPaths } from '#contract';
import { callApi } from './api.ts';
import { queryKeys } from './query-keys.ts';

/** The socket brings it more often; this makes up for lost events. */
const refetchMs = 15_000;

/** How the installation is now, for every page of operators. */
export function useOperatorNow() {
  return useQuery({
    queryKey: queryKeys.operatorNow,
    queryFn: ({ signal }): Promise<OperatorNow> =>
      callApi('GET', operatorPaths.now, operatorNowSchema, { signal }),
    refetchInterval: refetchMs,
    // What the socket brings is not validated when it arrives.
    select: (view) => operatorNowSchema.parse(view),
  });
}
