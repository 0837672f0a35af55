import { type BatchView, batchViewSchema, paths, withoutItems } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A batch without its rows, which are read in pages. @throws ApiError */
export function fetchBatch(id: string, signal?: AbortSignal): Promise<BatchView> {
  return callApi('GET', paths.batch(id) + withoutItems, batchViewSchema, { signal });
}
