import { type GenerationView, generationViewSchema, paths } from '../../../../../shared/contract/index.ts';
import { callApi } from '../../../lib/api.ts';

/** Cancels a generation. @throws ApiError; GENERATION_ENDED when it was too late */
export function cancelGeneration(id: string): Promise<GenerationView> {
  return callApi('POST', paths.cancelGeneration(id), generationViewSchema);
}
