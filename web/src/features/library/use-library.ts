import { keepPreviousData, replaceEqualDeep, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type GenerationList, type GenerationView, hasEnded } from '#contract';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { type GenerationPages, mergeIntoPages, newer } from '#web/lib/live/merge.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { listLibrary } from './api/list-library.ts';
import { isFiltered, type LibraryFilters } from './library-filters.ts';

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
