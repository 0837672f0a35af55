import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type BatchSummary, type BatchView, type GenerationView, limits } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { fetchBatch } from './api/fetch-batch.ts';
import { fetchBatchItems } from './api/fetch-batch-items.ts';
import { listBatches } from './api/list-batches.ts';

const batchKeys = {
  list: ['batches'],
  one: (id: string) => ['batch', id],
  allItems: (id: string) => ['batch', id, 'items'],
  items: (id: string, from: number) => ['batch', id, 'items', from],
} as const;

/** How often a batch is fetched at most while its images change, and at least while it is in progress, in ms. */
const refetchMs = { most: 2_000, least: 15_000 };

const isInProgress = ({ state }: BatchSummary) => state === 'running' || state === 'paused';

/** The seller's batches, newest first. */
export function useBatches() {
  return useQuery({
    queryKey: batchKeys.list,
    queryFn: async ({ signal }) => (await listBatches(signal)).batches,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? refetchMs.least : false),
  });
}

/** A batch. It is fetched again as its images change. */
export function useBatch(id: string) {
  const client = useQueryClient();
  useRefetchOnEvents(id);
  return useQuery({
    queryKey: batchKeys.one(id),
    queryFn: async ({ signal }) => {
      const view = await fetchBatch(id, signal);
      refreshItems(client, id);
      return view;
    },
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? refetchMs.least : false),
  });
}

/** The page of the rows of a batch that has a row; a row is counted from 0. It is fetched again after its batch. */
export function useBatchItems(id: string, row: number) {
  const from = row - (row % limits.batchRowsPage);
  return useQuery({
    queryKey: batchKeys.items(id, from),
    queryFn: async ({ signal }) => (await fetchBatchItems(id, from, signal)).items,
  });
}

/** Puts the view of a batch that a reply brought into the cache. */
export function cacheBatch(client: QueryClient, view: BatchView): void {
  // One that is under way may be from before.
  void client.cancelQueries({ queryKey: batchKeys.one(view.id), exact: true });
  client.setQueryData(batchKeys.one(view.id), view);
  refreshItems(client, view.id);
  void client.invalidateQueries({ queryKey: batchKeys.list });
}

/** Fetches a batch again, and then the rows that are shown. */
export function refreshBatch(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: batchKeys.one(id), exact: true });
}

/** Fetches the rows of a batch again that are shown; the others when they are shown. */
function refreshItems(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: batchKeys.allItems(id) });
}

/** Removes a deleted batch from the cache. */
export function forgetBatch(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: batchKeys.one(id) });
  client.setQueryData<BatchSummary[]>(batchKeys.list, (batches) => batches?.filter((each) => each.id !== id));
}

/** Fetches a batch again, with a pause between, whenever the view of one of its images arrives. */
function useRefetchOnEvents(id: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetch = () => {
      timer = undefined;
      refreshBatch(client, id);
    };
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== queryKeys.singleGenerations[0]) return;
      if ((query.state.data as GenerationView | undefined)?.batchId !== id) return;
      timer ??= setTimeout(refetch, refetchMs.most);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, id]);
}
