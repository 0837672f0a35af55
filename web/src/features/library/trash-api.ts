import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  emptiedTrashSchema,
  type GenerationView,
  paths,
  type Trash,
  trashedSchema,
  trashSchema,
} from '#contract';
import { callApi } from '#web/lib/api.ts';
import { cacheGeneration, invalidateTrash } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { restoreGeneration } from './api.ts';
import { settleEach } from './settle-each.ts';

/** What is fetched at once. */
const pageSize = 48;

/** A page of the trash. @param cursor null for the first page @throws ApiError */
export function listTrash(cursor: string | null, signal: AbortSignal, limit = pageSize): Promise<Trash> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  return callApi('GET', `${paths.trash}?${query}`, trashSchema, { signal });
}

/** What is in the trash, page by page. It is fetched again when something in it is restored in another window. */
export function useTrash() {
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: queryKeys.trashList,
    queryFn: ({ pageParam, signal }) => listTrash(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Trash) => page.nextCursor,
  });
  const { data } = list;
  useEffect(() => {
    const ids = new Set(data?.pages.flatMap(({ images }) => images.map(({ id }) => id)));
    return client.getQueryCache().subscribe((event) => {
      const isSingle = event.type === 'updated' && event.query.queryKey[0] === queryKeys.singleGenerations[0];
      if (!isSingle || event.action.type !== 'success') return;
      const view = event.query.state.data as GenerationView | undefined;
      if (view && ids.has(view.id)) void invalidateTrash(client, [view.id]);
    });
  }, [client, data]);
  return list;
}

/** What is in the trash, by its id; the error is NOT_FOUND if it is not there. */
export function useTrashed(id: string) {
  return useQuery({
    queryKey: queryKeys.trashed(id),
    queryFn: ({ signal }) => callApi('GET', paths.trashed(id), trashedSchema, { signal }),
  });
}

/** Deletes what is in the trash for ever. @throws ApiError */
function deleteForEver(id: string): Promise<void> {
  return callApi('DELETE', paths.trashed(id), {
    status: 204,
    check: 'Open the trash again: it says what is left.',
  });
}

/** What can be done with what is in the trash. Each resolves to what became of each image, or rejects. */
export function useTrashActions() {
  const client = useQueryClient();
  // Also when something was refused: then the list is old.
  const onSettled = () => invalidateTrash(client);
  const restoring = useMutation({
    mutationFn: (ids: readonly string[]) =>
      settleEach(ids, async (id) => cacheGeneration(client, await restoreGeneration(id))),
    onSettled: (results, _error, ids) => {
      void client.invalidateQueries({ queryKey: queryKeys.libraries });
      void client.invalidateQueries({ queryKey: queryKeys.projects });
      void client.invalidateQueries({ queryKey: queryKeys.allProjectImages });
      return invalidateTrash(
        client,
        ids.filter((_id, index) => results?.[index]?.status === 'fulfilled'),
      );
    },
  });
  const deletion = useMutation({
    mutationFn: (ids: readonly string[]) => settleEach(ids, deleteForEver),
    onSettled,
  });
  const emptying = useMutation({
    mutationFn: (at: string) =>
      callApi('DELETE', `${paths.trash}?${new URLSearchParams({ at })}`, emptiedTrashSchema),
    onSettled,
  });
  return { restoring, deletion, emptying };
}
