import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { limits } from '#contract';
import { textLinkClass } from '#web/ui/button.tsx';

/**
 * Offers to undo a deletion for as long as that is possible.
 * @param message what was deleted
 * @param deletedAt when the first image was deleted, in ms since 1970
 */
export function offerUndo(message: string, deletedAt: number, onUndo: () => void): void {
  const shown = toast(message, {
    // The timer below ends it: the one of the message stops while the pointer is over it.
    duration: Number.POSITIVE_INFINITY,
    action: (
      <UndoButton
        onUndo={() => {
          toast.dismiss(shown);
          onUndo();
        }}
      />
    ),
  });
  const leftMs = deletedAt + limits.undoDeletionSeconds * 1_000 - Date.now();
  setTimeout(() => toast.dismiss(shown), leftMs);
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
