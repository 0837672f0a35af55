import { hashKey, type QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import {
  clientErrors,
  type GenerationView,
  hasEnded,
  type Me,
  type RemovedGeneration,
  type SubscriptionView,
} from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import {
  type GenerationPages,
  isRemoved,
  type ListChanges,
  mergeIntoPages,
  mergeMe,
  mergePages,
  mergeSubscription,
  newer,
} from './merge.ts';

const changesByClient = new WeakMap<QueryClient, ListChanges>();

function changesOf(client: QueryClient): ListChanges {
  const changes = changesByClient.get(client) ?? { arrived: new Set(), removed: new Map() };
  changesByClient.set(client, changes);
  return changes;
}

/** To be called when a fetch of the list begins: what is in the cache by then and missing in the reply was deleted. */
export function beginListFetch(client: QueryClient): void {
  changesOf(client).arrived.clear();
}

/**
 * Makes every write to the cache, by a fetch or by an event, compare revisions: an older view never replaces a newer
 * one. TanStack Query calls `structuralSharing` for both.
 */
export function compareRevisionsOnWrite(client: QueryClient): void {
  client.setQueryDefaults(queryKeys.generationList, {
    structuralSharing: (cached, incoming) =>
      replaceEqualDeep(
        cached,
        mergePages(cached as GenerationPages | undefined, incoming as GenerationPages, changesOf(client)),
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

/**
 * Fetches what is shown of the trash again.
 * @param restored images that have just left it: to ask for one of them alone would be answered with NOT_FOUND
 */
export function invalidateTrash(client: QueryClient, restored: readonly string[] = []): Promise<void> {
  const left = new Set(restored.map((id) => hashKey(queryKeys.trashed(id))));
  return client.invalidateQueries({
    queryKey: queryKeys.trash,
    predicate: ({ queryHash }) => !left.has(queryHash),
  });
}

/** Puts the view of a generation into the cache; replies and events both go through here. */
export function cacheGeneration(client: QueryClient, view: GenerationView): void {
  const changes = changesOf(client);
  if (isRemoved(changes, view)) return;
  if (changes.removed.delete(view.id)) {
    // It was restored.
    void client.invalidateQueries({ queryKey: queryKeys.takes(view.set.id) });
    void client.invalidateQueries({ queryKey: queryKeys.versions(view.rootId) });
    void invalidateTrash(client, [view.id]);
  }
  changes.arrived.add(view.id);
  if (!hasEnded(view.state)) trackPending(client, view.id);
  client.setQueryData<GenerationView>(queryKeys.generation(view.id), (cached) => newer(cached, view));
  client.setQueryData<GenerationPages>(
    queryKeys.generationList,
    (cached) => cached && mergeIntoPages(cached, view),
  );
}

/** Remembers a pending generation; it stays remembered when it has ended. */
function trackPending(client: QueryClient, id: string): void {
  client.setQueryData<string[]>(queryKeys.pending, (ids = []) => (ids.includes(id) ? ids : [id, ...ids]));
}

/**
 * Removes a deleted generation from the cache. Where it is shown, it is as if it had been fetched and did not exist.
 */
export function cacheRemoval(client: QueryClient, { id, revision }: RemovedGeneration): void {
  const cached = cachedGenerations(client).find((view) => view.id === id);
  void invalidateTrash(client);
  // The deletion has been undone already.
  if (cached && cached.revision > revision) return;
  changesOf(client).removed.set(id, revision);
  // All lists, the library's too.
  client.setQueriesData<GenerationPages>(
    { queryKey: queryKeys.generationList },
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map((page) => ({
          ...page,
          generations: page.generations.filter((view) => view.id !== id),
        })),
      },
  );
  if (cached) {
    client.setQueryData<string[]>(queryKeys.takes(cached.set.id), (ids) =>
      ids?.filter((take) => take !== id),
    );
  }
  // As if it had been fetched again.
  const error = new ApiError('NOT_FOUND', clientErrors.NOT_FOUND[1]);
  const query = client.getQueryCache().find({ queryKey: queryKeys.generation(id) });
  // A fetch that is under way may have read it before.
  void query?.cancel({ silent: true });
  query?.setState({ data: undefined, status: 'error', error, fetchStatus: 'idle' });
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
