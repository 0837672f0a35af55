import { useQuery } from '@tanstack/react-query';
import {
  type ChangeLook,
  type CreateLook,
  type LookList,
  type LookView,
  lookListSchema,
  lookViewSchema,
  paths,
} from '#contract';
import { callApi } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

/** The seller's looks, the one that was changed last first. @throws ApiError */
function listLooks(signal: AbortSignal): Promise<LookList> {
  return callApi('GET', paths.looks, lookListSchema, { signal });
}

/** The seller's looks, the one that was changed last first. */
export function useLooks() {
  return useQuery({
    queryKey: queryKeys.looks,
    queryFn: async ({ signal }) => (await listLooks(signal)).looks,
  });
}

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

/** Deletes a look. @throws ApiError */
export function deleteLook(id: string): Promise<void> {
  return callApi('DELETE', paths.look(id), {
    status: 204,
    check: 'Reload this page to see whether the look is still there.',
  });
}
