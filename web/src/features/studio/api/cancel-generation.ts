import { type CancelGeneration, type CancelledGeneration, cancelledGenerationSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

export interface Cancellation {
  id: string;
  /** Whether the seller was told that stopping uses an image. */
  useImage: boolean;
}

/**
 * Cancels a generation.
 * @throws ApiError; GENERATION_ENDED if it is too late, PREVIEW_SHOWN if it would use an image and the seller was not
 *   told
 */
export function cancelGeneration({ id, useImage }: Cancellation): Promise<CancelledGeneration> {
  const body: CancelGeneration = { useImage };
  return callApi('POST', paths.cancelGeneration(id), cancelledGenerationSchema, { body });
}
