import { type ProjectDeletion, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Deletes a project, and moves or deletes its images. @throws ApiError */
export function deleteProject(id: string, images: ProjectDeletion): Promise<void> {
  return callApi('DELETE', `${paths.project(id)}?${new URLSearchParams({ images })}`, {
    status: 204,
    check: 'Reload this page to see whether the project is still there.',
  });
}
