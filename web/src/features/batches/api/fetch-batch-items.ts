import { type BatchItems, batchItemsSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A page of the rows of a batch. @param from the row that it begins with, from 0 @throws ApiError */
export function fetchBatchItems(id: string, from: number, signal: AbortSignal): Promise<BatchItems> {
  const query = new URLSearchParams({ from: String(from) });
  return callApi('GET', `${paths.batchItems(id)}?${query}`, batchItemsSchema, { signal });
}
