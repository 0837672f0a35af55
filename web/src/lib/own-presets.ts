import { useQuery } from '@tanstack/react-query';
import {
  type ChangeOwnPreset,
  type CreateOwnPreset,
  type OwnPreset,
  ownPresetListSchema,
  ownPresetPaths,
  ownPresetSchema,
} from '#contract';
import { callApi } from './api.ts';
import { queryKeys } from './query-keys.ts';

/** The seller's own export presets, by their names. @param enabled false if they are not needed */
export function useOwnPresets(enabled = true) {
  return useQuery({
    queryKey: queryKeys.ownPresets,
    queryFn: async ({ signal }) =>
      (await callApi('GET', ownPresetPaths.ownPresets, ownPresetListSchema, { signal })).presets,
    enabled,
    // Another window may have changed them.
    refetchOnWindowFocus: 'always',
  });
}

/** Makes a preset. @throws ApiError */
export function createOwnPreset(body: CreateOwnPreset): Promise<OwnPreset> {
  return callApi('POST', ownPresetPaths.ownPresets, ownPresetSchema, { body });
}

/** Changes a preset. @throws ApiError */
export function changeOwnPreset(id: string, body: ChangeOwnPreset): Promise<OwnPreset> {
  return callApi('PATCH', ownPresetPaths.ownPreset(id), ownPresetSchema, { body });
}

/** Deletes a preset. @throws ApiError */
export function deleteOwnPreset(id: string): Promise<void> {
  return callApi('DELETE', ownPresetPaths.ownPreset(id), {
    status: 204,
    check: 'Reload this page to see whether the preset is still there.',
  });
}
