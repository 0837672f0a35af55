import { type MovedImages, movedImagesSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Moves images to a project. @throws ApiError */
export function moveImages(projectId: string, ids: readonly string[]): Promise<MovedImages> {
  return callApi('POST', paths.projectImages(projectId), movedImagesSchema, { body: { ids } });
}
