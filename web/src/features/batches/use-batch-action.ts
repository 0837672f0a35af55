import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchAction } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { actOnBatch, cacheBatch, deleteBatch, forgetBatch, refreshBatch } from './api.ts';
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
export function useBatchAction(id: string, onOver: () => void = () => {}) {
  const client = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (action: BatchAction) => actOnBatch(id, action),
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
