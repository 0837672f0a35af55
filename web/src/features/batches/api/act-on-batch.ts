import { type BatchAction, type BatchView, batchViewSchema, paths, withoutItems } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Starts, pauses, resumes, cancels or retries a batch. @throws ApiError */
export function actOnBatch(id: string, action: BatchAction): Promise<BatchView> {
  return callApi('POST', paths.batchAction(id, action) + withoutItems, batchViewSchema);
}
