import { type BatchView, batchViewSchema, type CreateBatch, paths, withoutItems } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Makes a batch; its photos are uploaded next. Sent again with the same key, it gives the same batch. @throws ApiError */
export function createBatch(body: CreateBatch): Promise<BatchView> {
  return callApi('POST', paths.batches + withoutItems, batchViewSchema, { body });
}
