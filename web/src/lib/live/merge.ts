import type { InfiniteData } from '@tanstack/react-query';
import type { GenerationList, GenerationView, Me, SubscriptionView } from '#contract';

/** The pages of the list as they are cached; a page's parameter is the cursor that it was requested with. */
export type GenerationPages = InfiniteData<GenerationList, string | null>;

/** The view with the larger revision; `incoming` if they are equal. */
export function newer<T extends { revision: number }>(cached: T | undefined, incoming: T): T {
  return cached !== undefined && cached.revision > incoming.revision ? cached : incoming;
}

/** Whether `first` comes before `second` in the list: newest first, ties broken by id. */
function isBefore(first: GenerationView, second: GenerationView): boolean {
  if (first.createdAt !== second.createdAt) return first.createdAt > second.createdAt;
  return first.id > second.id;
}

function withGenerations(
  pages: GenerationPages,
  index: number,
  generations: GenerationView[],
): GenerationPages {
  return {
    ...pages,
    pages: pages.pages.map((page, at) => (at === index ? { ...page, generations } : page)),
  };
}

/**
 * Puts a view into the list: replaces the one with the same id unless that one is newer, or inserts it by age. A view
 * older than everything loaded is left out while there are more pages; it comes with its own page.
 * @returns the same object if nothing changes
 */
export function mergeIntoPages(pages: GenerationPages, view: GenerationView): GenerationPages {
  for (const [index, page] of pages.pages.entries()) {
    const at = page.generations.findIndex(({ id }) => id === view.id);
    const cached = page.generations[at];
    if (cached === undefined) continue;
    if (cached.revision >= view.revision) return pages;
    return withGenerations(pages, index, page.generations.with(at, view));
  }
  for (const [index, page] of pages.pages.entries()) {
    const at = page.generations.findIndex((other) => isBefore(view, other));
    if (at >= 0) return withGenerations(pages, index, page.generations.toSpliced(at, 0, view));
  }
  const last = pages.pages.length - 1;
  const lastPage = pages.pages[last];
  if (lastPage === undefined || lastPage.nextCursor !== null) return pages;
  return withGenerations(pages, last, [...lastPage.generations, view]);
}

/** What this window knows about the list besides its replies. */
export interface ListChanges {
  /** Ids of the generations that came into the cache since the last fetch of the list began. */
  arrived: Set<string>;
  /** The revision of deleted generations after their deletion, by id. */
  removed: Map<string, number>;
}

/** Whether a view is from before the deletion of its generation. */
export function isRemoved({ removed }: ListChanges, { id, revision }: GenerationView): boolean {
  const removal = removed.get(id);
  return removal !== undefined && revision <= removal;
}

/**
 * Replaces the cached list with a fetched one without losing what events brought during the request: of each generation
 * the newer view is kept, generations created after the reply stay, and deleted ones stay away. A generation that was in
 * the list before the request, and is missing in the reply, was deleted.
 */
export function mergePages(
  cached: GenerationPages | undefined,
  reply: GenerationPages,
  changes: ListChanges,
): GenerationPages {
  const fetched = {
    ...reply,
    pages: reply.pages.map((page) => ({
      ...page,
      generations: page.generations.filter((view) => !isRemoved(changes, view)),
    })),
  };
  if (cached === undefined) return fetched;
  const cachedViews = cached.pages.flatMap((page) => page.generations);
  const byId = new Map(cachedViews.map((view) => [view.id, view]));
  const merged: GenerationPages = {
    ...fetched,
    pages: fetched.pages.map((page) => ({
      ...page,
      generations: page.generations.map((view) => newer(byId.get(view.id), view)),
    })),
  };
  const newest = merged.pages[0]?.generations[0];
  return cachedViews
    .filter((view) => changes.arrived.has(view.id) && !isRemoved(changes, view))
    .filter((view) => newest === undefined || isBefore(view, newest))
    .reduce(mergeIntoPages, merged);
}

/** Replaces the cached account with a fetched one, but keeps a newer subscription that an event brought. */
export function mergeMe(cached: Me | null | undefined, fetched: Me | null): Me | null {
  if (!cached || !fetched || cached.user.id !== fetched.user.id) return fetched;
  return { ...fetched, subscription: newer(cached.subscription, fetched.subscription) };
}

/** Puts a subscription into the cached account. */
export function mergeSubscription(
  cached: Me | null | undefined,
  view: SubscriptionView,
): Me | null | undefined {
  return cached ? { ...cached, subscription: newer(cached.subscription, view) } : cached;
}
