import { type ChangeRequest, type GenerationSet, generationSetSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

export interface ChangeOrder extends ChangeRequest {
  /** The generation whose image is changed. */
  id: string;
  idempotencyKey: string;
}

/** Changes a finished image: makes a new generation. @throws ApiError */
export function changeGeneration({ id, idempotencyKey, ...body }: ChangeOrder): Promise<GenerationSet> {
  return callApi('POST', paths.changes(id), generationSetSchema, { body, idempotencyKey });
}
