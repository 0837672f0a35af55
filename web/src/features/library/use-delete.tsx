import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { type GenerationView, limits } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { cacheGeneration, cacheRemoval } from '#web/lib/live/cache.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { textLinkClass } from '#web/ui/text-link.ts';
import { deleteGeneration } from './api/delete-generation.ts';
import { restoreGeneration } from './api/restore-generation.ts';

export interface DeleteOutcomes {
  onDeleted: () => void;
  /** The seller took it back. */
  onRestored: () => void;
}

/** Deletes a generation that has ended; a message offers to undo it for as long as that is possible. */
export function useDelete({ id, revision }: GenerationView, { onDeleted, onRestored }: DeleteOutcomes) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => deleteGeneration(id),
    onSuccess: (removed) => {
      cacheRemoval(client, removed);
      onDeleted();
      offerUndo(() => restore(client, id, onRestored));
    },
    onError: (error) => {
      // It was deleted in another window, or the answer to the first request was lost.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) return showRefusal(messageOf(error));
      cacheRemoval(client, { id, revision });
      onDeleted();
    },
  });
  return { remove: () => mutate(), isPending };
}

function offerUndo(onUndo: () => void): void {
  const message = toast('Deleted.', {
    // The timer below ends it: the one of the message stops while the pointer is over it.
    duration: Number.POSITIVE_INFINITY,
    action: (
      <UndoButton
        onUndo={() => {
          toast.dismiss(message);
          onUndo();
        }}
      />
    ),
  });
  setTimeout(() => toast.dismiss(message), limits.undoDeletionSeconds * 1_000);
}

/** Takes the focus, because what had it is gone, unless the seller is typing. */
function UndoButton({ onUndo }: { onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches('input, textarea, select')) button.current?.focus();
  }, []);
  return (
    <button
      ref={button}
      type="button"
      onClick={onUndo}
      className={`ml-auto -my-2 min-h-11 rounded-field px-3 ${textLinkClass}`}
    >
      Undo
    </button>
  );
}

async function restore(client: QueryClient, id: string, onRestored: () => void): Promise<void> {
  try {
    cacheGeneration(client, await restoreGeneration(id));
    onRestored();
  } catch (error) {
    showRefusal(messageOf(error));
  }
}
