import { type ChangeLook, type CreateLook, type LookView, lookViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Saves a new look. @throws ApiError */
export function createLook(body: CreateLook): Promise<LookView> {
  return callApi('POST', paths.looks, lookViewSchema, { body });
}

/** Replaces name, scene and options of a look. @throws ApiError */
export function changeLook(id: string, body: ChangeLook): Promise<LookView> {
  return callApi('PUT', paths.look(id), lookViewSchema, { body });
}

/** Copies a look. @throws ApiError */
export function duplicateLook(id: string): Promise<LookView> {
  return callApi('POST', paths.duplicateLook(id), lookViewSchema);
}
