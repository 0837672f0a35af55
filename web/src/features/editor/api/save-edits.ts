import { type GenerationView, generationViewSchema, paths, type SaveEdits } from '#contract';
import { callApi } from '#web/lib/api.ts';

/**
 * Saves the edits of a finished image.
 * @throws ApiError; EDIT_CONFLICT if others were saved since the version that these are based on
 */
export function saveEdits({ id, ...body }: SaveEdits & { id: string }): Promise<GenerationView> {
  return callApi('PUT', paths.edits(id), generationViewSchema, { body });
}
