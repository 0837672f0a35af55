import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import {
  type CreateProject,
  type GenerationList,
  generationListSchema,
  isolateName,
  limits,
  type MovedImages,
  movedImagesSchema,
  type ProjectDeletion,
  type ProjectList,
  type ProjectView,
  paths,
  projectListSchema,
  projectViewSchema,
} from '#contract';
import { callApi, messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { toastError } from '#web/ui/toast-error.ts';

/** The seller's projects, the one that was used last first. @throws ApiError */
function listProjects(signal: AbortSignal): Promise<ProjectList> {
  return callApi('GET', paths.projects, projectListSchema, { signal });
}

/** The seller's projects, the one that was used last first. */
export function useProjects() {
  return useQuery({
    queryKey: queryKeys.projects,
    queryFn: async ({ signal }) => (await listProjects(signal)).projects,
  });
}

/** Creates a project, or renames the one with an id. @throws ApiError */
export function saveProject(id: string | null, body: CreateProject): Promise<ProjectView> {
  return id === null
    ? callApi('POST', paths.projects, projectViewSchema, { body })
    : callApi('PATCH', paths.project(id), projectViewSchema, { body });
}

/** Deletes a project, and moves or deletes its images. @throws ApiError */
export function deleteProject(id: string, images: ProjectDeletion): Promise<void> {
  return callApi('DELETE', `${paths.project(id)}?${new URLSearchParams({ images })}`, {
    status: 204,
    check: 'Reload this page to see whether the project is still there.',
  });
}

/** A page of the images in a project, newest first. @param cursor null for the first page @throws ApiError */
export function listImages(
  projectId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<GenerationList> {
  const query = new URLSearchParams({ project: projectId, ...(cursor !== null && { cursor }) });
  return callApi('GET', `${paths.generations}?${query}`, generationListSchema, { signal });
}

/** Moves images to a project. @throws ApiError */
function moveImages(projectId: string, ids: readonly string[]): Promise<MovedImages> {
  return callApi('POST', paths.projectImages(projectId), movedImagesSchema, { body: { ids } });
}

/** Moves images to another project, and says so. @param onDone called when all were moved */
export function useMoveImages(ids: readonly string[], onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: ProjectView) => {
      let moved = 0;
      for (let first = 0; first < ids.length; first += limits.imagesMovedAtOnce) {
        moved += (await moveImages(id, ids.slice(first, first + limits.imagesMovedAtOnce))).moved;
      }
      return moved;
    },
    onSuccess: (moved, { name }) => {
      toast(`${imageCountText(moved)} moved to “${isolateName(name)}”.`);
      onDone();
    },
    onError: (error) => toastError(messageOf(error)),
    // Also after an error: some may have been moved.
    onSettled: () => {
      for (const queryKey of [queryKeys.projects, queryKeys.allProjectImages, queryKeys.libraries]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}

/** The number of finished images in words. */
export function imageCountText(images: number): string {
  if (images === 0) return 'No images';
  return images === 1 ? '1 image' : `${images.toLocaleString('en')} images`;
}
