import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type GenerationView, generationViewSchema, paths, type SaveEdits } from '#contract';
import { ApiError, callApi, messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { toastError } from '#web/ui/toast-error.ts';

/**
 * Saves the edits of a finished image.
 * @throws ApiError; EDIT_CONFLICT if others were saved since the version that these are based on
 */
function saveEdits({ id, ...body }: SaveEdits & { id: string }): Promise<GenerationView> {
  return callApi('PUT', paths.edits(id), generationViewSchema, { body });
}

interface SaveOutcomes {
  onSaved: () => void;
  /** Another window saved first. @param current the generation with those edits */
  onConflict: (current: GenerationView) => void;
}

/** Saves edits. If that fails for another reason than a conflict, a message says why. */
export function useSaveEdits({ onSaved, onConflict }: SaveOutcomes) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (edits: Parameters<typeof saveEdits>[0]) => {
      try {
        return { saved: await saveEdits(edits) };
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'EDIT_CONFLICT')) throw error;
        return { current: await refreshGeneration(client, edits.id) };
      }
    },
    onSuccess: ({ saved, current }) => {
      if (current) return onConflict(current);
      cacheGeneration(client, saved);
      onSaved();
    },
    onError: (error) => toastError(messageOf(error)),
  });
}
