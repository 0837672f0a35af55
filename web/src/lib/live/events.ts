import type { QueryClient } from '@tanstack/react-query';
import {
  type GenerationView,
  generationViewSchema,
  removedGenerationSchema,
  subscriptionViewSchema,
} from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { cacheGeneration, cacheRemoval, cacheSubscription, pendingGenerations } from './cache.ts';

/** Refetches everything that events keep up to date. */
export function refetchLiveData(client: QueryClient): void {
  client.invalidateQueries({ queryKey: queryKeys.generationList });
  client.invalidateQueries({ queryKey: queryKeys.me });
  client.invalidateQueries({ queryKey: queryKeys.pending });
  for (const { id } of pendingGenerations(client)) {
    client.invalidateQueries({ queryKey: queryKeys.generation(id) });
  }
}

/**
 * Puts the view of a `generation` event into the cache. A payload that does not match the contract, for
 * example from a server of another version, is ignored and the data is fetched instead.
 * @param onGeneration called with the view before it is cached
 */
export function receiveGeneration(
  client: QueryClient,
  payload: unknown,
  onGeneration: (view: GenerationView) => void,
): void {
  const view = generationViewSchema.safeParse(payload);
  if (!view.success) {
    refetchLiveData(client);
    return;
  }
  onGeneration(view.data);
  cacheGeneration(client, view.data);
}

/** Like {@link receiveGeneration}, for a `generationRemoved` event. */
export function receiveRemoval(client: QueryClient, payload: unknown): void {
  const removed = removedGenerationSchema.safeParse(payload);
  if (removed.success) cacheRemoval(client, removed.data);
  else refetchLiveData(client);
}

/** Like {@link receiveGeneration}, for a `subscription` event. */
export function receiveSubscription(client: QueryClient, payload: unknown): void {
  const view = subscriptionViewSchema.safeParse(payload);
  if (view.success) cacheSubscription(client, view.data);
  else refetchLiveData(client);
}

/** Fetches the batches that are shown, after one of them changed. The rows of each are fetched after it. */
export function receiveBatch(client: QueryClient): void {
  client.invalidateQueries({
    queryKey: queryKeys.batches,
    predicate: ({ queryKey }) => queryKey.length === 2,
  });
}

/** Fetches the notifications, after a new one was announced. */
export function receiveNotification(client: QueryClient): void {
  client.invalidateQueries({ queryKey: queryKeys.me });
  client.invalidateQueries({ queryKey: queryKeys.notifications });
}
