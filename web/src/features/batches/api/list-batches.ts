import { type BatchList, batchListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's batches, newest first. @throws ApiError */
export function listBatches(signal: AbortSignal): Promise<BatchList> {
  return callApi('GET', paths.batches, batchListSchema, { signal });
}
