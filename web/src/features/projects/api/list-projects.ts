import { type ProjectList, paths, projectListSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** The seller's projects, the one that was used last first. @throws ApiError */
export function listProjects(signal: AbortSignal): Promise<ProjectList> {
  return callApi('GET', paths.projects, projectListSchema, { signal });
}
