import { type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { useGenerations } from '#web/lib/generations.ts';
import { PagedListFooter } from '#web/ui/paged-list-footer.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { HistorySkeleton, historyGridClass } from './history-skeleton.tsx';
import { HistoryTile } from './history-tile.tsx';

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
