import { paths, type RemovedGeneration, removedGenerationSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes a generation that has ended. @throws ApiError */
export function deleteGeneration(id: string): Promise<RemovedGeneration> {
  return callApi('DELETE', paths.generation(id), removedGenerationSchema);
}
