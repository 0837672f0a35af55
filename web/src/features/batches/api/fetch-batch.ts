import { type BatchView, batchViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A batch with its rows and images. @throws ApiError */
export function fetchBatch(id: string, signal?: AbortSignal): Promise<BatchView> {
  return callApi('GET', paths.batch(id), batchViewSchema, { signal });
}
