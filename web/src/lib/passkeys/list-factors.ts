import { type FactorList, factorListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** What the account has besides its password. @throws ApiError */
export function listFactors(signal?: AbortSignal): Promise<FactorList> {
  return callApi('GET', paths.passkeys, factorListSchema, { signal });
}
