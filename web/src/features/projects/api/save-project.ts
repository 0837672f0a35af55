import { type CreateProject, type ProjectView, paths, projectViewSchema } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Creates a project, or renames the one with an id. @throws ApiError */
export function saveProject(id: string | null, body: CreateProject): Promise<ProjectView> {
  return id === null
    ? callApi('POST', paths.projects, projectViewSchema, { body })
    : callApi('PATCH', paths.project(id), projectViewSchema, { body });
}
