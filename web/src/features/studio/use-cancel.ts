import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { cancelGeneration } from './api/cancel-generation.ts';

/** Cancels a generation; if that fails, a toast says why and the generation is refetched. */
export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelGeneration,
    onSuccess: ({ notice, ...cancelled }) => {
      cacheGeneration(client, cancelled);
      if (notice) toast.info(notice);
    },
    onError: async (error, { id }) => {
      await refreshGeneration(client, id).catch(() => {});
      // Not a failure: the first preview came before the click, so the button now says what stopping costs.
      const previewShown = error instanceof ApiError && error.code === 'PREVIEW_SHOWN';
      if (previewShown) toast.info(messageOf(error));
      else showRefusal(messageOf(error));
    },
  });
}
