import { type CreditEntryList, creditEntryListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** One page of the ledger, newest first. @param cursor `nextCursor` of the previous page @throws ApiError */
export function listCreditEntries(cursor: string | null, signal?: AbortSignal): Promise<CreditEntryList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', `${paths.creditEntries}${query}`, creditEntryListSchema, { signal });
}
