import { type GenerationSet, generationSetSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/**
 * Has an image made again at no charge. Idempotent: a repeated request gets the same generation.
 * @throws ApiError; REMAKE_NOT_OFFERED if its product match is not low, REMAKE_LIMIT if the month's are used up
 */
export function remakeGeneration(id: string): Promise<GenerationSet> {
  return callApi('POST', paths.remake(id), generationSetSchema);
}
