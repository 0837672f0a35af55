import { type GenerationList, generationListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** A page of the images in a project, newest first. @param cursor null for the first page @throws ApiError */
export function listImages(
  projectId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<GenerationList> {
  const query = new URLSearchParams({ project: projectId, ...(cursor !== null && { cursor }) });
  return callApi('GET', `${paths.generations}?${query}`, generationListSchema, { signal });
}
