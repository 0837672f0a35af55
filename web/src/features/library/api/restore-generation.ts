import { type GenerationView, generationViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Undoes the deletion of a generation. @throws ApiError; RESTORE_TOO_LATE after `undoDeletionSeconds` */
export function restoreGeneration(id: string): Promise<GenerationView> {
  return callApi('POST', paths.restoreGeneration(id), generationViewSchema);
}
