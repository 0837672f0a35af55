import { useQuery } from '@tanstack/react-query';
import { paths, serviceSchema } from '#contract';
import { callApi } from './api.ts';

/** What everybody may know about this installation: undefined until it is known. */
export function useService() {
  return useQuery({
    queryKey: ['service'],
    queryFn: ({ signal }) => callApi('GET', paths.service, serviceSchema, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
