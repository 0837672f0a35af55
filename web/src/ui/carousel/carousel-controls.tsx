import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { buttonClass } from '#web/ui/button.tsx';

interface CarouselControlsProps {
  /** The slide in the centre, such as `3 / 8`. */
  position: string;
  locked: boolean;
  paused: boolean;
  onMove: (by: 1 | -1) => void;
  onTogglePaused: () => void;
}

const className = buttonClass('quiet', 'size-11 px-0! aria-disabled:opacity-50');

/** The buttons of a carousel. With reduced motion it never moves by itself, so there is nothing to pause. */
export function CarouselControls({
  position,
  locked,
  paused,
  onMove,
  onTogglePaused,
}: CarouselControlsProps) {
  return (
    <div className="mt-2 flex items-center justify-center gap-1">
      <button
        type="button"
        aria-label={paused ? 'Play' : 'Pause'}
        onClick={onTogglePaused}
        className={`${className} motion-reduce:hidden`}
      >
        {paused ? <Play aria-hidden className="size-5" /> : <Pause aria-hidden className="size-5" />}
      </button>
      <button
        type="button"
        aria-label="Previous image"
        aria-disabled={locked}
        onClick={() => onMove(-1)}
        className={className}
      >
        <ChevronLeft aria-hidden className="size-5" />
      </button>
      <span aria-hidden className="min-w-14 text-center text-sm text-ink-soft tabular-nums">
        {position}
      </span>
      <button
        type="button"
        aria-label="Next image"
        aria-disabled={locked}
        onClick={() => onMove(1)}
        className={className}
      >
        <ChevronRight aria-hidden className="size-5" />
      </button>
    </div>
  );
}
