import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { limits } from '#contract';
import { textLinkClass } from './button.tsx';

/**
 * Offers to undo a change for some seconds.
 * @param message what was changed
 * @param leftMs how long it is offered
 */
export function offerUndo(
  message: string,
  onUndo: () => void,
  leftMs = limits.undoDeletionSeconds * 1_000,
): void {
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
