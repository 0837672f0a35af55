import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type BatchView, isolateName } from '#contract';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { columnGap, useGridColumns } from '#web/ui/grid-columns.ts';
import { useGridFocus } from '#web/ui/grid-focus.ts';
import { focusAfterKey } from '#web/ui/grid-keys.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { useAllBatchItems } from './api.ts';
import {
  type ReviewFilter,
  type ReviewImage,
  reviewFilters,
  reviewImages,
  reviewName,
} from './review-images.ts';
import { ReviewTile, studioLink } from './review-tile.tsx';
import { useApproval, useMakeAgain } from './use-batch-action.ts';
import { VirtualRows } from './virtual-rows.tsx';

interface ReviewGridProps {
  batch: BatchView;
  /** Images that the seller has left; null without a limit. */
  imagesLeft: number | null;
  renderPlanGate: (errorCode: string | null) => ReactNode;
}

/** In px: names, state and buttons below an image. */
const textHeight = 112;

/** The images of a batch in a grid: looked at, approved, made again, opened; also with the keyboard alone. */
export function ReviewGrid({ batch, imagesLeft, renderPlanGate }: ReviewGridProps) {
  const { items, error, refetch } = useAllBatchItems(batch);
  const [filter, setFilter] = useState<ReviewFilter>('all');
  const [again, setAgain] = useState<ReviewImage | null>(null);
  const approve = useApproval(batch.id);
  const { act, isPending, actionError, clearError } = useMakeAgain(batch.id, () => setAgain(null));
  if (error) return <ListError error={error} onRetry={refetch} />;
  if (!items) return <ListSkeleton />;
  const images = reviewImages(items);
  const shown = images.filter(({ image }) => reviewFilters[filter].shows(image));
  const open = shown.filter(({ image }) => reviewFilters.review.shows(image));
  return (
    <section aria-label="Images" className="grid content-start gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {Object.entries(reviewFilters).map(([id, { label, shows }]) => {
          const count = images.filter(({ image }) => shows(image)).length;
          return (
            <button
              key={id}
              type="button"
              aria-pressed={filter === id}
              onClick={() => setFilter(id as ReviewFilter)}
              className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line bg-surface px-4 text-sm font-semibold hover:border-line-strong aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-surface sm:min-h-9"
            >
              {label} <span className="font-normal tabular-nums">{count.toLocaleString('en')}</span>
            </button>
          );
        })}
        {open.length > 1 && (
          <Button
            variant="quiet"
            className="ml-auto"
            onClick={() =>
              approve(
                open.map(({ image }) => image.generationId!),
                true,
              )
            }
          >
            Approve these {open.length.toLocaleString('en')}
          </Button>
        )}
      </div>
      <p className="text-sm text-ink-soft max-sm:hidden">
        Arrow keys move, <kbd>A</kbd> approves, <kbd>R</kbd> makes again, <kbd>E</kbd> opens in the studio.
      </p>
      {shown.length === 0 ? (
        <p className="text-ink-soft">No image here.</p>
      ) : (
        <Tiles
          images={shown}
          isEnded={batch.state === 'ended'}
          onApprove={({ image }) => approve([image.generationId!], !image.approved)}
          onMakeAgain={(image) => {
            clearError();
            setAgain(image);
          }}
        />
      )}
      {again && (
        <ConfirmDialog
          title={`Make ${isolateName(reviewName(again))} again?`}
          description={againText(imagesLeft)}
          label="Make 1 image"
          busyLabel="Starting..."
          busy={isPending}
          error={actionError && !renderPlanGate(actionError.code) ? actionError.message : null}
          onConfirm={() => act([again.image.generationId!])}
          onClose={() => setAgain(null)}
        >
          {actionError && renderPlanGate(actionError.code)}
        </ConfirmDialog>
      )}
    </section>
  );
}

function againText(left: number | null): string {
  const cost = left === null ? '' : `It uses 1 image of the ${left.toLocaleString('en')} you have left. `;
  return `${cost}The image before stays in your library, and here until the new one is ready.`;
}

interface TilesProps {
  images: readonly ReviewImage[];
  isEnded: boolean;
  onApprove: (of: ReviewImage) => void;
  onMakeAgain: (of: ReviewImage) => void;
}

function Tiles({ images, isEnded, onApprove, onMakeAgain }: TilesProps) {
  const grid = useRef<HTMLDivElement>(null);
  const scrollTo = useRef<((row: number) => void) | null>(null);
  const columns = useGridColumns(grid);
  const navigate = useNavigate();
  const focus = useGridFocus(
    grid,
    images.map(({ key }) => key),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const of = images[focus.index];
    const shortcut = shortcutOf(event);
    if (!of) return;
    const rowsInView = Math.floor(window.innerHeight / (columns.width + textHeight));
    const shape = { columns: columns.count, rowsInView, count: images.length };
    const target = focusAfterKey(shortcut, focus.index, shape);
    if (target !== undefined) {
      focus.moveTo(target);
      scrollTo.current?.(Math.floor(target / columns.count));
    } else if (shortcut === 'a' && of.image.state === 'succeeded') {
      onApprove(of);
    } else if (shortcut === 'r' && isEnded && of.image.generationId !== null) {
      onMakeAgain(of);
    } else if (shortcut === 'e' && of.image.generationId !== null) {
      void navigate(studioLink(of.image.generationId));
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that are pressed in its images
    <div ref={grid} onKeyDown={onKeyDown} onFocus={focus.onFocus}>
      <VirtualRows
        keys={Array.from({ length: Math.ceil(images.length / columns.count) }, (_, row) => row)}
        usualHeight={columns.width + textHeight}
        scrollRef={scrollTo}
        renderRow={(row) => (
          <div
            className="grid"
            style={{ columnGap, gridTemplateColumns: `repeat(${columns.count}, minmax(0, 1fr))` }}
          >
            {images.slice(row * columns.count, (row + 1) * columns.count).map((of, column) => (
              <ReviewTile
                key={of.key}
                of={of}
                focusable={row * columns.count + column === focus.index}
                onApprove={() => onApprove(of)}
                onMakeAgain={isEnded ? () => onMakeAgain(of) : undefined}
              />
            ))}
          </div>
        )}
      />
    </div>
  );
}
