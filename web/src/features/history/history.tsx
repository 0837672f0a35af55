import { type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { type GenerationView, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { useGenerations } from '#web/lib/generations.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { GenerationThumbnail, generationLabel } from '#web/ui/generation-thumbnail.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';

/** Calls `onInView` while an element is in view or up to 200 px below. */
function useInView(element: RefObject<HTMLElement | null>, enabled: boolean, onInView: () => void) {
  useEffect(() => {
    if (!enabled || element.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onInView();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, enabled, onInView]);
}

interface HistoryProps {
  /** The generation in the main area; null for none. */
  currentId: string | null;
  /** The set in the main area; null for none. */
  currentSetId: string | null;
  onShow: (id: string) => void;
}

/** The seller's generations, newest first; loads the next page when scrolled to the end. */
export function History({ currentId, currentSetId, onShow }: HistoryProps) {
  const list = useGenerations();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const end = useRef<HTMLDivElement>(null);
  useInView(end, hasNextPage && !isFetchingNextPage && !error, fetchNextPage);
  const generations = data?.pages.flatMap((page) => page.generations) ?? [];

  return (
    <section
      aria-labelledby="history-heading"
      className="min-w-0 lg:col-start-2 xl:sticky xl:top-20 xl:col-start-3 xl:row-start-1 xl:-m-2 xl:max-h-[calc(100dvh-var(--panel-top,5rem)-1rem)] xl:overflow-y-auto xl:p-2"
    >
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 id="history-heading" className="text-lg font-semibold tracking-tight">
          Earlier images
        </h2>
        <Link to={pages.library} className={`text-sm ${textLinkClass}`}>
          See all
        </Link>
      </div>
      {isPending && <HistorySkeleton />}
      {data && generations.length === 0 && (
        <p className="text-sm text-ink-soft">No images yet. They'll appear here.</p>
      )}
      <ul className={historyGridClass}>
        {generations.map((view) => (
          <HistoryTile
            key={view.id}
            view={view}
            current={currentSetId === null ? view.id === currentId : view.set.id === currentSetId}
            onShow={() => onShow(view.id)}
          />
        ))}
      </ul>
      <div ref={end} />
      <PagedListFooter list={list} />
    </section>
  );
}

interface HistoryTileProps {
  view: GenerationView;
  /** Whether it is shown in the main area. */
  current: boolean;
  onShow: () => void;
}

/** A generation in the list: its thumbnail, name, and date or state. */
function HistoryTile({ view, current, onShow }: HistoryTileProps) {
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

/** The columns of the list. */
const historyGridClass =
  'grid grid-cols-2 gap-x-3 gap-y-4 min-[30rem]:grid-cols-3 md:grid-cols-4 xl:grid-cols-2';

/** The shape of the list while it is loading. */
function HistorySkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      <div aria-hidden className={historyGridClass}>
        {Array.from({ length: 4 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all alike
          <div key={index}>
            <SkeletonBlock className="aspect-square w-full" />
            <SkeletonBlock className="mt-2 h-4 w-3/4" />
            <SkeletonBlock className="mt-1.5 h-3 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
