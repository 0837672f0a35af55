import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderInput, Share, Star, StarOff, Trash2, X } from 'lucide-react';
import { type GenerationView, hasEnded, limits } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { offerUndo } from '#web/ui/offer-undo.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { changeGeneration, deleteGeneration, restoreGeneration } from './api.ts';
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
  return (
    <section
      aria-label="Marked images"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-card sm:inset-x-auto sm:bottom-4 sm:left-1/2 sm:-translate-x-1/2 sm:rounded-card sm:border sm:px-3"
    >
      <div className="sm:flex sm:items-center sm:gap-2">
        <div className="flex items-center justify-between gap-1 pl-2">
          <p role="status" className="text-sm font-semibold whitespace-nowrap">
            {views.length} marked
          </p>
          <button
            type="button"
            aria-label="Clear marks"
            title="Clear marks"
            onClick={onClear}
            className="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
        <div className="flex justify-between gap-1 sm:gap-2">
          {actions.map(({ key, name, Icon, run }) => (
            <button
              key={key}
              type="button"
              // Not `disabled`, which would take the focus away.
              aria-disabled={isPending}
              onClick={() => !isPending && run()}
              className="grid min-h-11 flex-1 place-items-center rounded-field px-2 py-1 text-xs font-semibold whitespace-nowrap hover:bg-sunken aria-disabled:opacity-60 sm:flex sm:flex-none sm:gap-2 sm:px-3 sm:text-sm"
            >
              <Icon aria-hidden className="size-4.5" />
              {name}
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}

const imageCount = (count: number) => (count === 1 ? '1 image' : `${count} images`);

/** Says what was refused, once. An image that another window deleted is no mistake of the seller. */
function toastErrors(results: readonly PromiseSettledResult<unknown>[], done: string): void {
  const reasons = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown)
    .filter((reason) => !isGone(reason));
  if (reasons.length === 0) return;
  toastError(`${imageCount(reasons.length)} could not be ${done}. ${messageOf(reasons[0])}`);
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'NOT_FOUND';

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
      const rest = kept > 0 ? ` ${imageCount(kept)} in progress ${kept === 1 ? 'was' : 'were'} kept.` : '';
      if (deleted.length > 0) {
        const leftMs = deletedAt + limits.undoDeletionSeconds * 1_000 - Date.now();
        offerUndo(`${imageCount(deleted.length)} deleted.${rest}`, leftMs, () => restore(deleted));
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
