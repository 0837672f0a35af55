import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  type BatchAction,
  type BatchImage,
  type BatchItem,
  type BatchItems,
  type BatchList,
  type BatchSummary,
  type BatchView,
  batchItemsSchema,
  batchListSchema,
  batchPhotoReplySchema,
  batchViewSchema,
  type CreateBatch,
  type GenerationView,
  limits,
  withoutItems,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { callApi, networkError, readReply } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

const batchKeys = {
  list: [...queryKeys.batches, 'all'],
  one: (id: string) => [...queryKeys.batches, id],
  allItems: (id: string) => [...queryKeys.batches, id, 'items'],
  items: (id: string, from: number) => [...queryKeys.batches, id, 'items', from],
} as const;

/** How often a batch is fetched at most while its images change, and at least while it is in progress, in ms. */
const refetchMs = { afterEvent: 2_000, whileInProgress: 15_000 };

const isInProgress = ({ state }: BatchSummary) => state === 'running' || state === 'paused';

/** The seller's batches, newest first. @throws ApiError */
function listBatches(signal: AbortSignal): Promise<BatchList> {
  return callApi('GET', batchPaths.batches, batchListSchema, { signal });
}

/** The seller's batches, newest first. */
export function useBatches() {
  return useQuery({
    queryKey: batchKeys.list,
    queryFn: async ({ signal }) => (await listBatches(signal)).batches,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? refetchMs.whileInProgress : false),
  });
}

/** A batch without its rows, which are read in pages. @throws ApiError */
export function fetchBatch(id: string, signal?: AbortSignal): Promise<BatchView> {
  return callApi('GET', batchPaths.batch(id) + withoutItems, batchViewSchema, { signal });
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
    refetchInterval: ({ state }) =>
      state.data && isInProgress(state.data) ? refetchMs.whileInProgress : false,
  });
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
      timer ??= setTimeout(refetch, refetchMs.afterEvent);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, id]);
}

/** Fetches a batch again, and then the rows that are shown. */
export function refreshBatch(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: batchKeys.one(id), exact: true });
}

/** A page of the rows of a batch. @param from the row that it begins with, from 0 @throws ApiError */
function fetchBatchItems(id: string, from: number, signal: AbortSignal): Promise<BatchItems> {
  const query = new URLSearchParams({ from: String(from) });
  return callApi('GET', `${batchPaths.batchItems(id)}?${query}`, batchItemsSchema, { signal });
}

/** The page of the rows of a batch that has a row; a row is counted from 0. It is fetched again after its batch. */
export function useBatchItems(id: string, row: number) {
  return useQuery(batchItemsQuery(id, row - (row % limits.batchRowsPage)));
}

const batchItemsQuery = (id: string, from: number) => ({
  queryKey: batchKeys.items(id, from),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await fetchBatchItems(id, from, signal)).items,
});

/** All rows of a batch, page by page; undefined until every page is there. */
export function useAllBatchItems({ id, rows }: Pick<BatchView, 'id' | 'rows'>) {
  const pages = Array.from({ length: Math.ceil(rows / limits.batchRowsPage) }, (_, page) => page);
  return useQueries({
    queries: pages.map((page) => batchItemsQuery(id, page * limits.batchRowsPage)),
    combine: (replies) => ({
      items: replies.every(({ data }) => data) ? replies.flatMap(({ data }) => data!) : undefined,
      error: replies.find(({ error, data }) => error && !data)?.error ?? null,
      refetch: () => {
        for (const { error, refetch } of replies) if (error) void refetch();
      },
    }),
  });
}

/** Changes what the cache has of the images of a batch, until it is fetched again. */
export function changeCachedImages(
  client: QueryClient,
  id: string,
  change: (image: BatchImage) => BatchImage,
): void {
  client.setQueriesData<BatchItem[]>({ queryKey: batchKeys.allItems(id) }, (items) =>
    items?.map((item) => ({ ...item, images: item.images.map(change) })),
  );
}

/** Fetches the rows of a batch again that are shown; the others when they are shown. */
function refreshItems(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: batchKeys.allItems(id) });
}

/** Makes a batch; its photos are uploaded next. Sent again with the same key, it gives the same batch. @throws ApiError */
export function createBatch(body: CreateBatch): Promise<BatchView> {
  return callApi('POST', batchPaths.batches + withoutItems, batchViewSchema, { body });
}

/** The server is busy: the photo is to be sent again after some seconds. */
export class TryLater extends Error {
  override name = 'TryLater';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

const defaultSeconds = 3;

/** Uploads a photo of a batch. @throws ApiError; TryLater */
export async function uploadPhoto(batchId: string, sha256: string, file: File): Promise<void> {
  const form = new FormData();
  form.append('images', file);
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(batchPaths.batchPhoto(batchId, sha256), { method: 'PUT', body: form });
    text = await reply.text();
  } catch {
    throw networkError();
  }
  if (reply.status === 429 || (reply.status >= 502 && reply.status <= 504)) {
    throw new TryLater(Number(reply.headers.get('retry-after')) || defaultSeconds);
  }
  readReply(reply.status, text, batchPhotoReplySchema);
}

/** Starts a batch. @param images how many the seller was shown @throws ApiError BATCH_CHANGED if they are more by now */
export function startBatch(id: string, images: number): Promise<BatchView> {
  return callApi('POST', batchPaths.batchAction(id, 'start') + withoutItems, batchViewSchema, {
    body: { images },
  });
}

/** Pauses, resumes, cancels or retries a batch. @throws ApiError */
export function actOnBatch(id: string, action: Exclude<BatchAction, 'start'>): Promise<BatchView> {
  return callApi('POST', batchPaths.batchAction(id, action) + withoutItems, batchViewSchema);
}

/** Approves images of a batch, or takes that back. @throws ApiError */
export function reviewBatch(id: string, images: readonly string[], approved: boolean): Promise<BatchView> {
  const body = { images, approved };
  return callApi('POST', batchPaths.batchReview(id) + withoutItems, batchViewSchema, { body });
}

/** Makes images of an ended batch again, each for one image of the balance. @throws ApiError */
export function makeImagesAgain(id: string, images: readonly string[]): Promise<BatchView> {
  return callApi('POST', batchPaths.batchAgain(id) + withoutItems, batchViewSchema, { body: { images } });
}

/** Deletes a batch that is not in progress; its images stay in the library. @throws ApiError */
export function deleteBatch(id: string): Promise<void> {
  return callApi('DELETE', batchPaths.batch(id), {
    status: 204,
    check: 'Reload this page to see whether the batch is still there.',
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

/** Removes a deleted batch from the cache. */
export function forgetBatch(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: batchKeys.one(id) });
  client.setQueryData<BatchSummary[]>(batchKeys.list, (batches) => batches?.filter((each) => each.id !== id));
}
