import { type CancelGeneration, type GenerationView, generationViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** What the seller was told that a click does. */
export interface Cancel {
  id: string;
  /** Whether the button said that stopping uses the image. */
  useImage: boolean;
}

/**
 * Cancels a generation.
 * @throws ApiError; GENERATION_ENDED when it was too late, PREVIEW_SHOWN when it would use the image and the seller did
 *   not know
 */
export function cancelGeneration({ id, useImage }: Cancel): Promise<GenerationView> {
  const body: CancelGeneration = { useImage };
  return callApi('POST', paths.cancelGeneration(id), generationViewSchema, { body });
}
