import { ChevronLeft, ChevronRight, LayoutGrid } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { GenerationView } from '#contract';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { Button } from '#web/ui/button.tsx';

interface SetNavigationProps {
  /** The take that is shown. */
  view: GenerationView;
  takes: readonly GenerationView[];
  onShow: (id: string) => void;
  onShowSet: () => void;
}

/** Leads from a take to the others of its set, also by the arrow keys, and back to the grid. */
export function SetNavigation({ view, takes, onShow, onShowSet }: SetNavigationProps) {
  const at = takes.findIndex(({ id }) => id === view.id);
  const [previous, next] = [takes[at - 1], takes[at + 1]];
  const onArrow = useEffectEvent((event: KeyboardEvent) => {
    const take = { ArrowLeft: previous, ArrowRight: next }[shortcutOf(event)];
    if (take && !event.defaultPrevented && !usesArrows(event)) onShow(take.id);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onArrow(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <nav aria-label="Images of this set" className="mb-4 flex items-center gap-1.5">
      <Button variant="secondary" onClick={onShowSet} className="mr-auto px-4!">
        <LayoutGrid aria-hidden className="size-4" />
        All {takes.length} images
      </Button>
      <Step take={previous} label="Previous image" onShow={onShow}>
        <ChevronLeft aria-hidden className="size-5" />
      </Step>
      <span className="text-sm whitespace-nowrap text-ink-soft">
        <span className="sr-only">Image </span>
        {at + 1} of {takes.length}
      </span>
      <Step take={next} label="Next image" onShow={onShow}>
        <ChevronRight aria-hidden className="size-5" />
      </Step>
    </nav>
  );
}

interface StepProps {
  /** Undefined at the end of the set. */
  take: GenerationView | undefined;
  label: string;
  onShow: (id: string) => void;
  children: ReactNode;
}

function Step({ take, label, onShow, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={take === undefined}
      onClick={() => take && onShow(take.id)}
      className="grid size-11 place-items-center rounded-full border border-line-strong hover:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
    >
      {children}
    </button>
  );
}

/** Whether the arrow keys belong to what has the focus, or to a dialog. */
function usesArrows({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select, [role=tab]') !== null;
}
