import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { type GenerationView, isolateName, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { useGenerations } from '#web/lib/generations.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { GenerationThumbnail, generationLabel } from '#web/ui/generation-thumbnail.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';

/** Calls `onInView` while an element, which is always rendered, is in view or up to 200 px below. */
function useInView(element: RefObject<HTMLElement | null>, enabled: boolean, onInView: () => void) {
  useEffect(() => {
    if (!enabled) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onInView();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element, enabled, onInView]);
}

interface HistoryProps {
  /** The generation in the main area; null for none. */
  currentId: string | null;
  /** The set in the main area; null for none. */
  currentSetId: string | null;
  /** The name of the product whose images are shown; null for all. */
  product: string | null;
  onShow: (id: string) => void;
}

/**
 * The seller's images, newest first, in one line that scrolls inside itself and loads the next page at its end, unless the
 * last ones had hardly anything to show. What failed or was cancelled is in the library only.
 */
export function History({ currentId, currentSetId, product, onShow }: HistoryProps) {
  const list = useGenerations();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const end = useRef<HTMLLIElement>(null);
  const loaded = data?.pages ?? [];
  const generations = loaded
    .flatMap((page) => page.generations)
    .filter(
      ({ state, productName }) =>
        !['failed', 'cancelled'].includes(state) && (product === null || productName === product),
    );
  /** How many there were when more were asked for. */
  const [askedAt, setAskedAt] = useState<number | null>(null);
  // With few to show, the end stays in view: then not all pages follow each other, until a button asks for one image more.
  const isSparse = loaded.length > 4 + generations.length / 8 && askedAt !== generations.length;
  useInView(end, hasNextPage && !(isFetchingNextPage || error || isSparse), fetchNextPage);

  return (
    <section aria-labelledby="history-heading" className="min-w-0">
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <h2 id="history-heading" className="font-semibold tracking-tight">
          {product === null ? 'Earlier images' : 'Images of this product'}
        </h2>
        <Link to={pages.library} className={`text-sm ${textLinkClass}`}>
          See all
        </Link>
      </div>
      {isPending && <HistorySkeleton />}
      {data && generations.length === 0 && (
        <p className="text-sm text-ink-soft">
          {product === null ? "No images yet. They'll appear here." : 'No images of this product yet.'}
        </p>
      )}
      <ul className="-mx-1 flex gap-2.5 overflow-x-auto px-1 py-1.5">
        {generations.map((view) => (
          <HistoryTile
            key={view.id}
            view={view}
            current={currentSetId === null ? view.id === currentId : view.set.id === currentSetId}
            onShow={() => onShow(view.id)}
          />
        ))}
        <li ref={end} aria-hidden className="w-px shrink-0" />
      </ul>
      <PagedListFooter list={list} onMore={() => setAskedAt(generations.length)} />
    </section>
  );
}

interface HistoryTileProps {
  view: GenerationView;
  /** Whether it is shown in the main area. */
  current: boolean;
  onShow: () => void;
}

/** A generation in the list: its thumbnail, and in words its name, and date or state. */
function HistoryTile({ view, current, onShow }: HistoryTileProps) {
  const dates = useDates();
  const name = isolateName(view.productName || view.prompt);
  const when = view.state === 'succeeded' ? dates.shortDateTime(view.createdAt) : generationLabel(view);
  const place = view.set.size > 1 ? `, ${view.set.index + 1} of ${view.set.size}` : '';
  return (
    <li className="w-18 shrink-0 sm:w-19">
      <button
        type="button"
        onClick={onShow}
        aria-current={current ? 'true' : undefined}
        title={`${name}, ${when}${place}`}
        className="group relative block w-full rounded-field text-left"
      >
        <GenerationThumbnail view={view} current={current} />
        <span className="sr-only">
          {name}, {when}
          {place}
        </span>
      </button>
    </li>
  );
}

/** The shape of the list while it is loading. */
function HistorySkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      <div aria-hidden className="flex gap-2.5 overflow-hidden py-1.5">
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all alike
          <SkeletonBlock key={index} className="size-18 shrink-0 sm:size-19" />
        ))}
      </div>
    </div>
  );
}
