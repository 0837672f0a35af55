import type { InfiniteData } from '@tanstack/react-query';
import type { GenerationList, GenerationView, Me, SubscriptionView } from '#contract';

/** The pages of the list as the query cache holds them; a page's parameter is the cursor it was asked with. */
export type GenerationPages = InfiniteData<GenerationList, string | null>;

/** Of two states of one thing the later one; `incoming` where they are as old as each other. */
export function newer<T extends { revision: number }>(held: T | undefined, incoming: T): T {
  return held !== undefined && held.revision > incoming.revision ? held : incoming;
}

/** Newest first, as the list is ordered; ids break ties so that the order is stable. */
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
 * Puts one view into the list: over the one with its id unless that is newer, or as a new one where its age puts it.
 * A view older than everything loaded is left out while there are more pages to load: its page will bring it.
 * @returns the same object when nothing changes
 */
export function mergeIntoPages(pages: GenerationPages, view: GenerationView): GenerationPages {
  for (const [index, page] of pages.pages.entries()) {
    const at = page.generations.findIndex(({ id }) => id === view.id);
    const held = page.generations[at];
    if (held === undefined) continue;
    if (held.revision >= view.revision) return pages;
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

/**
 * Takes a fetched list over a held one without losing what events brought while it was on its way: for each
 * generation the newer view stays, and those that are newer than the reply (none is ever deleted) are kept.
 */
export function mergePages(held: GenerationPages | undefined, fetched: GenerationPages): GenerationPages {
  if (held === undefined) return fetched;
  const heldViews = held.pages.flatMap((page) => page.generations);
  const byId = new Map(heldViews.map((view) => [view.id, view]));
  const merged: GenerationPages = {
    ...fetched,
    pages: fetched.pages.map((page) => ({
      ...page,
      generations: page.generations.map((view) => newer(byId.get(view.id), view)),
    })),
  };
  const newest = merged.pages[0]?.generations[0];
  return heldViews
    .filter((view) => newest === undefined || isBefore(view, newest))
    .reduce(mergeIntoPages, merged);
}

/** Takes a fetched account over a held one; a subscription that an event brought later stays. */
export function mergeMe(held: Me | null | undefined, fetched: Me | null): Me | null {
  if (!held || !fetched || held.user.id !== fetched.user.id) return fetched;
  return { ...fetched, subscription: newer(held.subscription, fetched.subscription) };
}

/** Puts a subscription into the account that is held. */
export function mergeSubscription(
  held: Me | null | undefined,
  view: SubscriptionView,
): Me | null | undefined {
  return held ? { ...held, subscription: newer(held.subscription, view) } : held;
}
