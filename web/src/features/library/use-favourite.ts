import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { changeGeneration } from './api/change-generation.ts';

/** Marks a generation as a favourite, or takes the mark away. */
export function useFavourite({ id, favourite }: GenerationView) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => changeGeneration(id, { favourite: !favourite }),
    onSuccess: (view) => cacheGeneration(client, view),
    onError: (error) => showRefusal(messageOf(error)),
  });
  return { toggle: () => mutate(), isPending };
}
