import { type ChangeGeneration, type GenerationView, generationViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Renames a generation, or marks it as a favourite. @throws ApiError */
export function changeGeneration(id: string, body: ChangeGeneration): Promise<GenerationView> {
  return callApi('PATCH', paths.generation(id), generationViewSchema, { body });
}
