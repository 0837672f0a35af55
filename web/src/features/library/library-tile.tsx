import clsx from 'clsx';
import { Check } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { type GenerationView, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { GenerationThumbnail, generationLabel } from '#web/ui/generation-thumbnail.tsx';
import { Name } from '#web/ui/name.tsx';

/** Where an image is shown. */
export const studioLink = (id: string) => `${pages.dashboard}?${new URLSearchParams({ generation: id })}`;

interface LibraryTileProps {
  view: GenerationView;
  column: number;
  marked: boolean;
  /** Whether the Tab key leads to it: the one image of the grid for which it does. */
  focusable: boolean;
}

/** An image in the grid. Its corner with `data-mark` is where a click marks it. */
export const LibraryTile = memo(function LibraryTile({ view, column, marked, focusable }: LibraryTileProps) {
  const dates = useDates();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtualised in rows of any number of columns
    <div
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={marked}
      tabIndex={focusable ? 0 : -1}
      data-id={view.id}
      className="group relative scroll-mt-20 rounded-field"
    >
      <Link
        to={studioLink(view.id)}
        tabIndex={-1}
        draggable={false}
        className="block touch-manipulation rounded-field select-none [-webkit-touch-callout:none] [&_img]:pointer-events-none"
      >
        <GenerationThumbnail view={view} current={marked} />
        <span
          aria-hidden
          data-mark
          className="absolute top-0 left-0 grid size-11 cursor-pointer place-items-center"
        >
          <span
            className={clsx(
              'grid size-6 place-items-center rounded-md border shadow-card',
              marked
                ? 'border-accent bg-accent text-accent-ink'
                : 'border-line-strong bg-surface/85 text-transparent forced-colors:text-[color:Canvas] group-hover:border-ink-soft',
            )}
          >
            <Check className="size-4" strokeWidth={3} />
          </span>
        </span>
        <Name className="mt-1.5 block truncate text-sm font-medium">{view.productName || view.prompt}</Name>
        <span className="block truncate text-xs text-ink-soft">
          {view.sku && (
            <>
              <Name>{view.sku}</Name>
              {' · '}
            </>
          )}
          {view.state === 'succeeded' ? (
            <time dateTime={view.createdAt}>{dates.shortDateTime(view.createdAt)}</time>
          ) : (
            generationLabel(view)
          )}
        </span>
      </Link>
    </div>
  );
});
