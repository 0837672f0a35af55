import type { CSSProperties } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { isSetPending, setProgress } from './set-text.ts';
import { TakeTile } from './take-tile.tsx';

export interface SetActions {
  onShow: (id: string) => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (id: string, useImage: boolean) => void;
  /** Null while the plan allows no image, or while another one is being tried again. */
  onRetry: ((view: GenerationView) => void) | null;
  onClear: () => void;
}

interface SetViewProps extends SetActions {
  takes: readonly GenerationView[];
  cancelling: boolean;
}

/** The takes of a set, which fill in as they are made. */
export function SetView({ takes, cancelling, onShow, onCancel, onRetry, onClear }: SetViewProps) {
  // Where a preview is visible, stopping uses an image: each of those has its own button, which says so.
  const free = takes.filter(({ state, previewUrl }) => !hasEnded(state) && previewUrl === null);
  const [first] = takes;
  const ratio = first ? first.options.width / first.options.height : 1;
  return (
    <div className="grid gap-5">
      <ul
        style={{ '--frame-ratio': ratio } as CSSProperties}
        className="mx-auto grid w-full max-w-[calc(max(16rem,100dvh-14rem-var(--panel-top,5rem))*var(--frame-ratio))] grid-cols-2 items-start gap-3 sm:gap-4"
      >
        {takes.map((view) => (
          <TakeTile
            key={view.id}
            view={view}
            cancelling={cancelling}
            onShow={() => onShow(view.id)}
            onCancel={(useImage) => onCancel(view.id, useImage)}
            onRetry={onRetry && (() => onRetry(view))}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        {free.length > 1 && (
          <Button
            variant="secondary"
            disabled={cancelling}
            onClick={() => {
              for (const { id } of free) onCancel(id, false);
            }}
          >
            Cancel {free.length} images
          </Button>
        )}
        <Button variant={isSetPending(takes) ? 'quiet' : 'secondary'} onClick={onClear}>
          {isSetPending(takes) ? 'Start another' : 'Clear'}
        </Button>
        <span className="text-sm text-ink-soft sm:ml-auto">{setProgress(takes)}</span>
      </div>
    </div>
  );
}
