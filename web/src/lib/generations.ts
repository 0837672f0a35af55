import {
  type QueryClient,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type GenerationList,
  type GenerationView,
  generationListSchema,
  generationViewSchema,
  limits,
  paths,
} from '#contract';
import { callApi } from './api.ts';
import { beginListFetch, cachedGenerations, cacheGeneration, pendingGenerations } from './live/cache.ts';
import type { GenerationPages } from './live/merge.ts';
import { queryKeys } from './query-keys.ts';

/** Fetches a page of the seller's generations, newest first. */
function fetchPage(cursor: string | null, signal?: AbortSignal): Promise<GenerationList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', `${paths.generations}${query}`, generationListSchema, { signal });
}

/** The seller's generations, page by page. */
export function useGenerations() {
  return useInfiniteQuery<GenerationList, Error, GenerationPages, readonly string[], string | null>({
    queryKey: queryKeys.generationList,
    queryFn: ({ client, pageParam, signal }) => {
      if (pageParam === null) beginListFetch(client);
      return fetchPage(pageParam, signal);
    },
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The query of one generation; starts with the view of the list if it is there. Null fetches nothing. */
function generationQuery(client: QueryClient, id: string | null) {
  return {
    queryKey: queryKeys.generation(id ?? ''),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callApi('GET', paths.generation(id ?? ''), generationViewSchema, { signal }),
    enabled: id !== null,
    initialData: () =>
      client
        .getQueryData<GenerationPages>(queryKeys.generationList)
        ?.pages.flatMap((page) => page.generations)
        .find((view) => view.id === id),
    // Events and polling keep it up to date.
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** One generation. Null fetches nothing. */
export function useGeneration(id: string | null) {
  return useQuery(generationQuery(useQueryClient(), id));
}

/** The ids of a set's takes, by their index, if all of them are in the cache. */
function cachedTakes(client: QueryClient, setId: string | null): string[] | undefined {
  const takes = cachedGenerations(client).filter(({ set }) => set.id === setId);
  if (takes.length !== takes[0]?.set.size) return undefined;
  return takes.toSorted((one, other) => one.set.index - other.set.index).map(({ id }) => id);
}

/** The takes of a set, by their index; empty for a set that does not exist, undefined while they load. Null fetches nothing. */
export function useTakes(setId: string | null): GenerationView[] | undefined {
  const client = useQueryClient();
  const { data: ids } = useQuery({
    queryKey: queryKeys.takes(setId ?? ''),
    queryFn: async ({ signal }) => {
      const path = `${paths.generations}?${new URLSearchParams({ set: setId ?? '' })}`;
      const { generations } = await callApi('GET', path, generationListSchema, { signal });
      for (const view of generations) cacheGeneration(client, view);
      return generations.map(({ id }) => id);
    },
    enabled: setId !== null,
    initialData: () => cachedTakes(client, setId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const takes = useQueries({ queries: (ids ?? []).map((id) => generationQuery(client, id)) });
  return ids && takes.flatMap(({ data }) => (data ? [data] : []));
}

/** The versions of an image, oldest first; empty while they load. */
export function useVersions(rootId: string): GenerationView[] {
  const client = useQueryClient();
  const { data: ids = [] } = useQuery({
    queryKey: queryKeys.versions(rootId),
    queryFn: async ({ signal }) => {
      const path = `${paths.generations}?${new URLSearchParams({ root: rootId })}`;
      const { generations } = await callApi('GET', path, generationListSchema, { signal });
      for (const view of generations) cacheGeneration(client, view);
      return generations.map(({ id }) => id);
    },
  });
  const versions = useQueries({ queries: ids.map((id) => generationQuery(client, id)) });
  return versions.flatMap(({ data }) => (data ? [data] : []));
}

/** Fetches the newest generations that have not ended, the oldest first. */
async function fetchPending(signal?: AbortSignal): Promise<GenerationView[]> {
  const path = `${paths.generations}?pending=true&limit=${limits.pageSizeMost}`;
  return (await callApi('GET', path, generationListSchema, { signal })).generations.reverse();
}

/** The generations that have been pending since the page was opened, those that have ended meanwhile included. */
export function usePending(): GenerationView[] {
  const client = useQueryClient();
  const { data: ids = [] } = useQuery({
    queryKey: queryKeys.pending,
    queryFn: async ({ signal }) => {
      for (const view of await fetchPending(signal)) cacheGeneration(client, view);
      return client.getQueryData<string[]>(queryKeys.pending) ?? [];
    },
  });
  return useQueries({
    // Only observed, so that a reconnect does not fetch hundreds one by one: events and polling keep them up to date.
    queries: ids.map((id) => ({ ...generationQuery(client, id), enabled: false })),
    combine: (queries) => queries.flatMap(({ data }) => (data ? [data] : [])),
  });
}

/** Fetches one generation into the cache. @throws ApiError */
export async function refreshGeneration(client: QueryClient, id: string): Promise<GenerationView> {
  const view = await callApi('GET', paths.generation(id), generationViewSchema);
  cacheGeneration(client, view);
  return view;
}

/** Generations that are fetched one by one in a round, at most. */
const maxSingles = 20;

/**
 * Fetches the newest page and the pending generations, and those that were pending and are on neither, into the cache:
 * makes up for lost events.
 * @throws ApiError
 */
export async function refreshPending(client: QueryClient): Promise<void> {
  const [page, pending] = await Promise.all([fetchPage(null), fetchPending()]);
  const fetched = [...page.generations, ...pending];
  for (const view of fetched) cacheGeneration(client, view);
  const ids = new Set(fetched.map(({ id }) => id));
  const rest = pendingGenerations(client).filter(({ id }) => !ids.has(id));
  await Promise.all(rest.slice(0, maxSingles).map(({ id }) => refreshGeneration(client, id)));
}
