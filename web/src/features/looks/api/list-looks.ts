import { type LookList, lookListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's looks, the one that was changed last first. @throws ApiError */
export function listLooks(signal: AbortSignal): Promise<LookList> {
  return callApi('GET', paths.looks, lookListSchema, { signal });
}
