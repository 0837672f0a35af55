import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type GenerationView, hasEnded } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { changeGeneration, deleteGeneration, restoreGeneration } from './api.ts';
import { offerUndo } from './offer-undo.tsx';
import { settleEach } from './settle-each.ts';

const images = (count: number) => (count === 1 ? '1 image' : `${count} images`);

/** Says what was refused, once. An image that another window deleted is no mistake of the seller. */
function showRefusals(results: readonly PromiseSettledResult<unknown>[], done: string): void {
  const reasons = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown)
    .filter((reason) => !isGone(reason));
  if (reasons.length === 0) return;
  showRefusal(`${images(reasons.length)} could not be ${done}. ${messageOf(reasons[0])}`);
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'NOT_FOUND';

/** What can be done with several images at once. */
export function useMarkedActions() {
  const client = useQueryClient();
  const restore = async (ids: readonly string[]) => {
    const results = await settleEach(ids, async (id) => cacheGeneration(client, await restoreGeneration(id)));
    showRefusals(results, 'restored');
    void client.invalidateQueries({ queryKey: queryKeys.libraries });
  };
  const favourites = useMutation({
    networkMode: 'always',
    mutationFn: ({ views, favourite }: { views: readonly GenerationView[]; favourite: boolean }) =>
      settleEach(
        views.filter((view) => view.favourite !== favourite),
        async ({ id }) => cacheGeneration(client, await changeGeneration(id, { favourite })),
      ),
    onSuccess: (results) => showRefusals(results, 'changed'),
  });
  const deletion = useMutation({
    networkMode: 'always',
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
      showRefusals(results, 'deleted');
      const rest = kept > 0 ? ` ${images(kept)} in progress ${kept === 1 ? 'was' : 'were'} kept.` : '';
      if (deleted.length > 0) {
        offerUndo(`${images(deleted.length)} deleted.${rest}`, deletedAt, () => restore(deleted));
      } else if (kept > 0) {
        showRefusal('Images in progress cannot be deleted. Cancel them first.');
      }
    },
  });
  return {
    changeFavourites: favourites.mutate,
    remove: deletion.mutate,
    isPending: favourites.isPending || deletion.isPending,
  };
}
