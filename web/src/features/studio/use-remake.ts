import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { remakeGeneration } from './api/remake-generation.ts';

/** Has an image made again at no charge, and shows the new generation. */
export function useRemake(onShow: (id: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remakeGeneration,
    onSuccess: async ({ generations }, id) => {
      for (const view of generations) cacheGeneration(client, view);
      // It offers no other one now.
      await refreshGeneration(client, id).catch(() => {});
      const [first] = generations;
      if (first) onShow(first.id);
    },
    onError: async (error, id) => {
      showRefusal(messageOf(error));
      await refreshGeneration(client, id).catch(() => {});
    },
  });
}
