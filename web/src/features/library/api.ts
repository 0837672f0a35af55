import {
  keepPreviousData,
  type QueryClient,
  replaceEqualDeep,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  type ChangeGeneration,
  type GenerationList,
  type GenerationView,
  generationListSchema,
  generationViewSchema,
  hasEnded,
  paths,
  type RemovedGeneration,
  removedGenerationSchema,
} from '#contract';
import { ApiError, callApi, messageOf } from '#web/lib/api.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { type GenerationPages, mergeIntoPages, newer } from '#web/lib/live/merge.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { offerUndo } from '#web/ui/offer-undo.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { apiQuery, isFiltered, type LibraryFilters } from './library-filters.ts';

/** Images that are fetched at once. */
const pageSize = 48;

/** A page of the images that match. @param cursor null for the first page @throws ApiError */
function listLibrary(
  filters: LibraryFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<GenerationList> {
  const query = apiQuery(filters);
  query.set('limit', String(pageSize));
  if (cursor !== null) query.set('cursor', cursor);
  return callApi('GET', `${paths.library}?${query}`, generationListSchema, { signal });
}

/** How long new images are collected before the list is fetched again. */
const refetchDelayMs = 2_000;

/**
 * The images that match, page by page. Images that change are replaced as soon as the cache knows; new ones are put on top
 * of the whole library, or are fetched when something is filtered or sorted another way.
 */
export function useLibrary(filters: LibraryFilters) {
  const client = useQueryClient();
  const list = useInfiniteQuery<GenerationList, Error, GenerationPages, readonly unknown[], string | null>({
    queryKey: queryKeys.library(filters),
    queryFn: async ({ pageParam, signal }) => {
      const page = await listLibrary(filters, pageParam, signal);
      const newest = (view: GenerationView) =>
        newer(client.getQueryData<GenerationView>(queryKeys.generation(view.id)), view);
      return { ...page, generations: page.generations.map(newest) };
    },
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    // Events keep it up to date, and there may be many pages.
    refetchOnWindowFocus: false,
    // Not that of the list of generations, which puts newer ones on top.
    structuralSharing: (cached, fetched) => replaceEqualDeep(cached, fetched),
  });
  useChanges(filters);
  const { data } = list;
  useEffect(() => {
    for (const view of data?.pages.flatMap((page) => page.generations) ?? []) {
      // It is followed from then on.
      if (!hasEnded(view.state)) cacheGeneration(client, view);
    }
  }, [client, data]);
  return list;
}

/** Puts views that come into the cache into the list as well. */
function useChanges(filters: LibraryFilters): void {
  const client = useQueryClient();
  /** Images that the list was fetched again for. They need not be in it. */
  const fetchedFor = useRef(new Set<string>());
  useEffect(() => {
    const queryKey = queryKeys.library(filters);
    const [singles] = queryKeys.singleGenerations;
    const isWhole = !isFiltered(filters) && !filters.sort;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey });
      }, refetchDelayMs);
    };
    const receive = (view: GenerationView) => {
      const pages = client.getQueryData<GenerationPages>(queryKey);
      if (!pages) return;
      const isListed = pages.pages.some(({ generations }) => generations.some(({ id }) => id === view.id));
      if (isListed || isWhole) {
        const merged = mergeIntoPages(pages, view);
        if (merged !== pages) client.setQueryData<GenerationPages>(queryKey, merged);
      } else if (!fetchedFor.current.has(view.id)) {
        fetchedFor.current.add(view.id);
        refetchSoon();
      }
    };
    const stop = client.getQueryCache().subscribe((event) => {
      const isSingle = event.type === 'updated' && event.query.queryKey[0] === singles;
      if (isSingle && event.action.type === 'success') receive(event.query.state.data);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, filters]);
}

/** Renames a generation, or marks it as a favourite. @throws ApiError */
export function changeGeneration(id: string, body: ChangeGeneration): Promise<GenerationView> {
  return callApi('PATCH', paths.generation(id), generationViewSchema, { body });
}

/** Marks a generation as a favourite, or takes the mark away. */
export function useFavourite({ id, favourite }: GenerationView) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeGeneration(id, { favourite: !favourite }),
    onSuccess: (view) => cacheGeneration(client, view),
    onError: (error) => toastError(messageOf(error)),
  });
  return { toggle: () => mutate(), isPending };
}

/** Moves a generation that has ended to the trash. @throws ApiError */
export function deleteGeneration(id: string): Promise<RemovedGeneration> {
  return callApi('DELETE', paths.generation(id), removedGenerationSchema);
}

/** Restores a generation from the trash. @throws ApiError; RESTORE_TOO_LATE if it was deleted for ever */
export function restoreGeneration(id: string): Promise<GenerationView> {
  return callApi('POST', paths.restoreGeneration(id), generationViewSchema);
}

export interface DeleteOutcomes {
  onDeleted: () => void;
  /** The seller took it back. */
  onRestored: () => void;
}

/** Moves a generation that has ended to the trash; a message offers to undo it. */
export function useDelete({ id, revision }: GenerationView, { onDeleted, onRestored }: DeleteOutcomes) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteGeneration(id),
    onSuccess: (removed) => {
      cacheRemoval(client, removed);
      onDeleted();
      offerUndo('Moved to Trash.', () => restore(client, id, onRestored));
    },
    onError: (error) => {
      // It was deleted in another window, or the answer to the first request was lost.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) return toastError(messageOf(error));
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
    toastError(messageOf(error));
  }
}
