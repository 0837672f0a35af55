import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchView } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import {
  actOnBatch,
  cacheBatch,
  changeCachedImages,
  deleteBatch,
  forgetBatch,
  makeImagesAgain,
  refreshBatch,
  reviewBatch,
  startBatch,
} from './api.ts';
import { forgetUpload } from './uploads.ts';

/** Why an action was refused. */
interface ActionError {
  code: string | null;
  message: string;
}

const toActionError = (error: Error | null): ActionError | null =>
  error && { code: error instanceof ApiError ? error.code : null, message: messageOf(error) };

/** Whether the batch has changed in another window, or by itself: the page shows how it is now. */
const isOutdated = (error: Error | null) => error instanceof ApiError && error.code === 'BATCH_CHANGED';

/**
 * Carries out the actions of a batch, one at a time.
 * @param onOver called when an action was carried out, or turned out to be outdated
 */
export const useBatchAction = (id: string, onOver: () => void = () => {}) =>
  useBatchChange(id, (action: Parameters<typeof actOnBatch>[1]) => actOnBatch(id, action), onOver);

/** Starts a batch with as many images as the seller was shown. */
export const useStartBatch = (id: string) =>
  useBatchChange(
    id,
    (images: number) => startBatch(id, images),
    () => {},
  );

/** Makes images of an ended batch again. @param onOver as in {@link useBatchAction} */
export const useMakeAgain = (id: string, onOver: () => void) =>
  useBatchChange(id, (images: readonly string[]) => makeImagesAgain(id, images), onOver);

function useBatchChange<Given>(id: string, change: (given: Given) => Promise<BatchView>, onOver: () => void) {
  const client = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: change,
    onSuccess: (view) => {
      cacheBatch(client, view);
      onOver();
    },
    onError: (error) => {
      refreshBatch(client, id);
      if (!isOutdated(error)) return;
      toastError(messageOf(error));
      onOver();
    },
  });
  const actionError = isOutdated(error) ? null : toActionError(error);
  return { act: mutate, isPending, actionError, clearError: reset };
}

/** Approves images of a batch, which are shown as approved at once, or takes that back. */
export function useApproval(id: string) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    // One after the other: what was taken back at once must not be approved in the end.
    scope: { id: `approval ${id}` },
    mutationFn: ({ images, approved }: { images: readonly string[]; approved: boolean }) =>
      reviewBatch(id, images, approved),
    onMutate: ({ images, approved }) =>
      changeCachedImages(client, id, (image) =>
        images.includes(image.generationId ?? '') ? { ...image, approved } : image,
      ),
    onSuccess: (view) => cacheBatch(client, view),
    onError: (error) => {
      refreshBatch(client, id);
      toastError(messageOf(error));
    },
  });
  return (images: readonly string[], approved: boolean) => mutate({ images, approved });
}

/** Deletes a batch. @param onDeleted called when it is gone */
export function useDeleteBatch(id: string, onDeleted: () => void) {
  const client = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => deleteBatch(id),
    onSuccess: () => {
      forgetUpload(id);
      onDeleted();
      forgetBatch(client, id);
    },
  });
  return { remove: () => mutate(), isPending, actionError: toActionError(error), clearError: reset };
}
