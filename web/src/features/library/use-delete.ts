import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { GenerationView } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { deleteGeneration } from './api/delete-generation.ts';
import { restoreGeneration } from './api/restore-generation.ts';
import { offerUndo } from './offer-undo.tsx';

export interface DeleteOutcomes {
  onDeleted: () => void;
  /** The seller took it back. */
  onRestored: () => void;
}

/** Deletes a generation that has ended; a message offers to undo it for as long as that is possible. */
export function useDelete({ id, revision }: GenerationView, { onDeleted, onRestored }: DeleteOutcomes) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => deleteGeneration(id),
    onSuccess: (removed) => {
      cacheRemoval(client, removed);
      onDeleted();
      offerUndo('Deleted.', Date.now(), () => restore(client, id, onRestored));
    },
    onError: (error) => {
      // It was deleted in another window, or the answer to the first request was lost.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) return showRefusal(messageOf(error));
      cacheRemoval(client, { id, revision });
      onDeleted();
    },
  });
  return { remove: () => mutate(), isPending };
}

async function restore(client: QueryClient, id: string, onRestored: () => void): Promise<void> {
  try {
    cacheGeneration(client, await restoreGeneration(id));
    onRestored();
  } catch (error) {
    showRefusal(messageOf(error));
  }
}
