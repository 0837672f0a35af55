import clsx from 'clsx';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { type GenerationView, type ProjectView, pages } from '#contract';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { useLibrary } from './api.ts';
import { isFiltered, type LibraryFilters, noFilters, readFilters, writeFilters } from './library-filters.ts';
import { LibraryGrid } from './library-grid.tsx';
import { LibraryToolbar } from './library-toolbar.tsx';
import { MarkedBar } from './marked-bar.tsx';
import { noSelection } from './selection.ts';

/** The marked images, and what takes their marks away. */
export interface Marked {
  views: readonly GenerationView[];
  clear: () => void;
}

interface LibraryProps {
  projects: readonly ProjectView[];
  onMove: (marked: Marked) => void;
  onExport: (marked: Marked) => void;
}

/** All images of the seller. Search, filters and sort are in the page's address. */
export function Library({ projects, onMove, onExport }: LibraryProps) {
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => readFilters(query), [query]);
  const list = useLibrary(filters);
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage, refetch } = list;
  const views = useMemo(() => data?.pages.flatMap(({ generations }) => generations) ?? [], [data]);

  const [selection, setSelection] = useState(noSelection);
  const [markedIn, setMarkedIn] = useState(filters);
  if (markedIn !== filters) {
    // Marks that nobody sees would be moved or deleted too.
    setMarkedIn(filters);
    setSelection(noSelection);
  }
  const marked = views.filter(({ id }) => selection.marked.has(id));
  const clear = () => setSelection(noSelection);

  const root = useRef<HTMLDivElement>(null);
  const hasMarks = marked.length > 0;
  useEffect(() => {
    const element = root.current;
    if (!hasMarks) return;
    return () => {
      // The bar had the focus, and is gone.
      if (document.activeElement !== document.body) return;
      element?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus({ preventScroll: true });
    };
  }, [hasMarks]);

  const canLoadMore = hasNextPage && !isFetching && !error;
  const loadMore = useCallback(() => {
    if (canLoadMore) void fetchNextPage();
  }, [canLoadMore, fetchNextPage]);
  const isEmpty = views.length === 0;
  useEffect(() => {
    // The server looks through so many images at once, and may find none among them.
    if (isEmpty) loadMore();
  }, [isEmpty, loadMore]);

  const change = (changes: Partial<LibraryFilters>) =>
    setQuery(writeFilters({ ...filters, ...changes }), { replace: true });
  return (
    <div ref={root} className={clsx(hasMarks && 'pb-28')}>
      <LibraryToolbar filters={filters} onChange={change} projects={projects} />
      {!isEmpty && (
        <div className={clsx(isPlaceholderData && 'opacity-50')}>
          <LibraryGrid
            views={views}
            selection={selection}
            onSelect={setSelection}
            hasMore={hasNextPage}
            onEnd={loadMore}
          />
        </div>
      )}
      {isEmpty && !isFetching && !error && !hasNextPage && (
        <Empty filters={filters} onClear={() => change({ ...noFilters, sort: filters.sort })} />
      )}
      {isFetching && (isEmpty || list.isFetchingNextPage) && <Loading />}
      {error && <ListError error={error} onRetry={() => (isEmpty ? refetch() : fetchNextPage())} />}
      {hasMarks && (
        <MarkedBar
          views={marked}
          onMove={() => onMove({ views: marked, clear })}
          onExport={() => onExport({ views: marked, clear })}
          onClear={clear}
        />
      )}
    </div>
  );
}

function Empty({ filters, onClear }: { filters: LibraryFilters; onClear: () => void }) {
  return isFiltered(filters) ? (
    <div className="grid justify-items-center gap-3 py-12 text-center">
      <p role="status" className="text-ink-soft">
        No images match your search and filters.
      </p>
      <Button variant="secondary" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  ) : (
    <div className="grid justify-items-center gap-3 py-12 text-center">
      <p className="text-ink-soft">No images yet. Images that you create in the studio appear here.</p>
      <Link to={pages.dashboard} className={buttonClass()}>
        Create an image
      </Link>
    </div>
  );
}

function Loading() {
  return (
    <div role="status" className="grid grid-cols-2 gap-3 py-5 sm:grid-cols-4 lg:grid-cols-6">
      <span className="sr-only">Loading…</span>
      {['first', 'second', 'third', 'fourth'].map((tile) => (
        <SkeletonBlock key={tile} className="aspect-square" />
      ))}
    </div>
  );
}
