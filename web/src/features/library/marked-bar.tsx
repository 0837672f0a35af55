import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderInput, Share, Star, StarOff, Trash2 } from 'lucide-react';
import { type GenerationView, hasEnded, limits } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { offerUndo } from '#web/ui/offer-undo.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { ActionBar } from './action-bar.tsx';
import { changeGeneration, deleteGeneration, restoreGeneration } from './api.ts';
import { isGone, toastErrors } from './outcomes.ts';
import { settleEach } from './settle-each.ts';

interface MarkedBarProps {
  views: readonly GenerationView[];
  onMove: () => void;
  onExport: () => void;
  onClear: () => void;
}

/** What can be done with the marked images, at the bottom of the window. */
export function MarkedBar({ views, onMove, onExport, onClear }: MarkedBarProps) {
  const { changeFavourites, remove, isPending } = useMarkedActions();
  const favourite = !views.every((view) => view.favourite);
  const actions = [
    {
      key: 'favourite',
      name: favourite ? 'Favourite' : 'Unfavourite',
      Icon: favourite ? Star : StarOff,
      run: () => changeFavourites({ views, favourite }),
    },
    { key: 'move', name: 'Move', Icon: FolderInput, run: onMove },
    { key: 'export', name: 'Export', Icon: Share, run: onExport },
    {
      key: 'delete',
      name: 'Delete',
      Icon: Trash2,
      run: () => {
        const most = limits.imagesDeletedAtOnce;
        if (views.length <= most) return remove(views);
        toastError(`Up to ${most} images can be deleted at once. You marked ${views.length}.`);
      },
    },
  ];
  return <ActionBar count={views.length} actions={actions} isPending={isPending} onClear={onClear} />;
}

/** What can be done with several images at once. */
function useMarkedActions() {
  const client = useQueryClient();
  const restore = async (ids: readonly string[]) => {
    const results = await settleEach(ids, async (id) => cacheGeneration(client, await restoreGeneration(id)));
    toastErrors(results, 'restored');
    void client.invalidateQueries({ queryKey: queryKeys.libraries });
  };
  const favourites = useMutation({
    mutationFn: ({ views, favourite }: { views: readonly GenerationView[]; favourite: boolean }) =>
      settleEach(
        views.filter((view) => view.favourite !== favourite),
        async ({ id }) => cacheGeneration(client, await changeGeneration(id, { favourite })),
      ),
    onSuccess: (results) => toastErrors(results, 'changed'),
  });
  const deletion = useMutation({
    mutationFn: async (views: readonly GenerationView[]) => {
      const deletedAt = Date.now();
      const ended = views.filter(({ state }) => hasEnded(state));
      const results = await settleEach(ended, async ({ id, revision }) => {
        try {
          cacheRemoval(client, await deleteGeneration(id));
        } catch (error) {
          if (isGone(error)) cacheRemoval(client, { id, revision });
          throw error;
        }
      });
      const deleted = ended.filter((_, index) => results[index]?.status === 'fulfilled').map(({ id }) => id);
      return { results, deleted, deletedAt, kept: views.length - ended.length };
    },
    onSuccess: ({ results, deleted, deletedAt, kept }) => {
      toastErrors(results, 'deleted');
      const rest =
        kept > 0 ? ` ${countText(kept, 'image')} in progress ${kept === 1 ? 'was' : 'were'} kept.` : '';
      if (deleted.length > 0) {
        const leftMs = deletedAt + limits.undoDeletionSeconds * 1_000 - Date.now();
        offerUndo(
          `${countText(deleted.length, 'image')} moved to Trash.${rest}`,
          () => restore(deleted),
          leftMs,
        );
      } else if (kept > 0) {
        toastError('Images in progress cannot be deleted. Cancel them first.');
      }
    },
  });
  return {
    changeFavourites: favourites.mutate,
    remove: deletion.mutate,
    isPending: favourites.isPending || deletion.isPending,
  };
}
