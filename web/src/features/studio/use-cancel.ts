import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { mergeGeneration } from '#web/lib/generations/cache.ts';
import { refreshGeneration } from '#web/lib/generations/queries.ts';
import { cancelGeneration } from './api/cancel-generation.ts';

/** Cancels a generation; where that is not what was expected the seller reads why, and sees what is so now. */
export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: cancelGeneration,
    onSuccess: (cancelled) => mergeGeneration(client, cancelled),
    onError: async (failure, { id }) => {
      // A preview came while the button said Cancel, or it ended.
      await refreshGeneration(client, id).catch(() => {});
      const news = failure instanceof ApiError && failure.code === 'PREVIEW_SHOWN';
      if (news) toast.info(messageOf(failure));
      else toast.error(messageOf(failure));
    },
  });
}
