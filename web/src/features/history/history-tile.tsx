import type { GenerationView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { GenerationThumbnail, generationLabel } from '#web/ui/generation-thumbnail.tsx';
import { Name } from '#web/ui/name.tsx';

interface HistoryTileProps {
  view: GenerationView;
  /** Whether it is shown in the main area. */
  current: boolean;
  onShow: () => void;
}

/** A generation in the list: its thumbnail, name, and date or state. */
export function HistoryTile({ view, current, onShow }: HistoryTileProps) {
  const dates = useDates();
  return (
    <li>
      <button
        type="button"
        onClick={onShow}
        aria-current={current ? 'true' : undefined}
        className="group block w-full rounded-field text-left"
      >
        <GenerationThumbnail view={view} current={current} />
        <Name className="mt-1.5 block truncate text-sm font-medium">{view.productName || view.prompt}</Name>
        <span className="block text-xs text-ink-soft">
          {view.state === 'succeeded' ? (
            <time dateTime={view.createdAt}>{dates.shortDateTime(view.createdAt)}</time>
          ) : (
            generationLabel(view)
          )}
          {view.set.size > 1 && ` · ${view.set.index + 1} of ${view.set.size}`}
        </span>
      </button>
    </li>
  );
}
