import { type QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { type GenerationView, hasEnded, type Me, type SubscriptionView } from '#contract';
import {
  type GenerationPages,
  mergeIntoPages,
  mergeMe,
  mergePages,
  mergeSubscription,
  newer,
} from './merge.ts';

/** Where the query cache holds what. */
export const keys = {
  me: ['me'] as const,
  list: ['generations'] as const,
  generation: (id: string) => ['generation', id] as const,
  creditEntries: ['credit-entries'] as const,
  sessions: ['sessions'] as const,
  activity: ['activity'] as const,
};

/**
 * Makes every write to the cache, a fetch's as well as an event's, follow the rule of revisions: an older view never
 * replaces a newer one. TanStack Query calls `structuralSharing` for both.
 */
export function applyRevisionRule(client: QueryClient): void {
  client.setQueryDefaults(keys.list, {
    structuralSharing: (held, incoming) =>
      replaceEqualDeep(held, mergePages(held as GenerationPages | undefined, incoming as GenerationPages)),
  });
  client.setQueryDefaults(['generation'], {
    structuralSharing: (held, incoming) =>
      replaceEqualDeep(held, newer(held as GenerationView | undefined, incoming as GenerationView)),
  });
  client.setQueryDefaults(keys.me, {
    structuralSharing: (held, incoming) =>
      replaceEqualDeep(held, mergeMe(held as Me | null | undefined, incoming as Me | null)),
  });
}

/** The one way of a generation's view into the app, whether an event or a reply brought it. */
export function mergeGeneration(client: QueryClient, view: GenerationView): void {
  client.setQueryData<GenerationView>(keys.generation(view.id), (held) => newer(held, view));
  client.setQueryData<GenerationPages>(keys.list, (held) => held && mergeIntoPages(held, view));
}

/** The one way of a subscription's view into the app. */
export function takeSubscription(client: QueryClient, view: SubscriptionView): void {
  client.setQueryData<Me | null>(keys.me, (held) => mergeSubscription(held, view));
}

/** The generations that are held and have not ended. */
export function pendingGenerations(client: QueryClient): GenerationView[] {
  const pages = client.getQueryData<GenerationPages>(keys.list)?.pages ?? [];
  const listed = pages.flatMap((page) => page.generations);
  const single = client
    .getQueriesData<GenerationView>({ queryKey: ['generation'] })
    .flatMap(([, view]) => (view ? [view] : []));
  const byId = new Map([...listed, ...single].map((view) => [view.id, view]));
  return [...byId.values()].filter((view) => !hasEnded(view.state));
}
