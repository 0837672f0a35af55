import { type QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { type GenerationView, hasEnded, type Me, type SubscriptionView } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import {
  type GenerationPages,
  mergeIntoPages,
  mergeMe,
  mergePages,
  mergeSubscription,
  newer,
} from './merge.ts';

/**
 * Makes every write to the cache, by a fetch or by an event, compare revisions: an older view never replaces a newer
 * one. TanStack Query calls `structuralSharing` for both.
 */
export function compareRevisionsOnWrite(client: QueryClient): void {
  client.setQueryDefaults(queryKeys.generationList, {
    structuralSharing: (cached, incoming) =>
      replaceEqualDeep(
        cached,
        mergePages(cached as GenerationPages | undefined, incoming as GenerationPages),
      ),
  });
  client.setQueryDefaults(queryKeys.singleGenerations, {
    structuralSharing: (cached, incoming) =>
      replaceEqualDeep(cached, newer(cached as GenerationView | undefined, incoming as GenerationView)),
  });
  client.setQueryDefaults(queryKeys.me, {
    structuralSharing: (cached, incoming) =>
      replaceEqualDeep(cached, mergeMe(cached as Me | null | undefined, incoming as Me | null)),
  });
}

/** Puts the view of a generation into the cache; replies and events both go through here. */
export function cacheGeneration(client: QueryClient, view: GenerationView): void {
  client.setQueryData<GenerationView>(queryKeys.generation(view.id), (cached) => newer(cached, view));
  client.setQueryData<GenerationPages>(
    queryKeys.generationList,
    (cached) => cached && mergeIntoPages(cached, view),
  );
}

/** Puts the view of the subscription into the cached account; replies and events both go through here. */
export function cacheSubscription(client: QueryClient, view: SubscriptionView): void {
  client.setQueryData<Me | null>(queryKeys.me, (cached) => mergeSubscription(cached, view));
}

/** Every cached generation, once. */
export function cachedGenerations(client: QueryClient): GenerationView[] {
  const pages = client.getQueryData<GenerationPages>(queryKeys.generationList)?.pages ?? [];
  const listed = pages.flatMap((page) => page.generations);
  const single = client
    .getQueriesData<GenerationView>({ queryKey: queryKeys.singleGenerations })
    .flatMap(([, view]) => (view ? [view] : []));
  const byId = new Map([...listed, ...single].map((view) => [view.id, view]));
  return [...byId.values()];
}

/** The cached generations that have not ended. */
export function pendingGenerations(client: QueryClient): GenerationView[] {
  return cachedGenerations(client).filter((view) => !hasEnded(view.state));
}
