import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type GenerationList, generationListSchema, generationViewSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { keys, mergeGeneration, pendingGenerations } from './cache.ts';
import type { GenerationPages } from './merge.ts';

/** Fetches a page of the seller's generations, newest first. */
function fetchPage(cursor: string | null, signal?: AbortSignal): Promise<GenerationList> {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`;
  return callApi('GET', `${paths.generations}${query}`, generationListSchema, { signal });
}

/** The seller's generations, page by page. */
export function useGenerations() {
  return useInfiniteQuery<GenerationList, Error, GenerationPages, readonly string[], string | null>({
    queryKey: keys.list,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One generation; from the list at once where it is there. Null asks for nothing. */
export function useGeneration(id: string | null) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.generation(id ?? ''),
    queryFn: ({ signal }) => callApi('GET', paths.generation(id ?? ''), generationViewSchema, { signal }),
    enabled: id !== null,
    initialData: () =>
      client
        .getQueryData<GenerationPages>(keys.list)
        ?.pages.flatMap((page) => page.generations)
        .find((view) => view.id === id),
    // Events and the polling of what is pending keep it up to date.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Asks for one generation and takes what comes. @throws ApiError */
export async function refreshGeneration(client: QueryClient, id: string): Promise<void> {
  mergeGeneration(client, await callApi('GET', paths.generation(id), generationViewSchema));
}

/**
 * Asks for the newest page and for everything pending that is not in it, and merges what comes: what an event may
 * have failed to say is known after this.
 * @throws ApiError
 */
export async function refreshPending(client: QueryClient): Promise<void> {
  const page = await fetchPage(null);
  for (const view of page.generations) mergeGeneration(client, view);
  const fetched = new Set(page.generations.map(({ id }) => id));
  const rest = pendingGenerations(client).filter(({ id }) => !fetched.has(id));
  await Promise.all(rest.map(({ id }) => refreshGeneration(client, id)));
}
