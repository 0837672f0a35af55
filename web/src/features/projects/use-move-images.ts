import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { isolateName, limits, type ProjectView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { moveImages } from './api/move-images.ts';
import { imageCountText } from './project-text.ts';

/** Moves images to another project, and says so. @param onDone called when all were moved */
export function useMoveImages(ids: readonly string[], onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ id }: ProjectView) => {
      let moved = 0;
      for (let first = 0; first < ids.length; first += limits.imagesMovedAtOnce) {
        moved += (await moveImages(id, ids.slice(first, first + limits.imagesMovedAtOnce))).moved;
      }
      return moved;
    },
    onSuccess: (moved, { name }) => {
      toast(`${imageCountText(moved)} moved to “${isolateName(name)}”.`);
      onDone();
    },
    onError: (error) => showRefusal(messageOf(error)),
    // Also after an error: some may have been moved.
    onSettled: () => {
      for (const queryKey of [queryKeys.projects, queryKeys.allProjectImages, queryKeys.libraries]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
