import clsx from 'clsx';
import { Ban, CircleAlert } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { useGenerations } from '#web/lib/generations.ts';
import { PagedListFooter } from '#web/ui/paged-list-footer.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const stateLabels: Readonly<Record<GenerationView['state'], string>> = {
  queued: 'In the queue',
  running: 'In progress',
  succeeded: 'Created',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

function labelOf({ state, imageUsed }: GenerationView): string {
  return state === 'cancelled' && imageUsed ? 'Stopped · 1 image used' : stateLabels[state];
}

/** Calls back while an element is in view or up to 200 px below. */
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

/** The seller's generations, newest first; loads the next page when scrolled to the end. */
export function History({ currentId, onShow }: { currentId: string | null; onShow: (id: string) => void }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useGenerations();
  const end = useRef<HTMLDivElement>(null);
  useInView(end, hasNextPage && !isFetchingNextPage && !error, fetchNextPage);
  const generations = data?.pages.flatMap((page) => page.generations) ?? [];

  return (
    <section
      aria-labelledby="history-heading"
      className="min-w-0 lg:col-start-2 xl:sticky xl:top-20 xl:col-start-3 xl:row-start-1 xl:-m-2 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto xl:p-2"
    >
      <h2 id="history-heading" className="mb-3 text-lg font-semibold tracking-tight">
        Earlier images
      </h2>
      {isPending && (
        <p role="status" className="flex items-center gap-2 text-sm text-ink-soft">
          <Spinner /> Loading your images…
        </p>
      )}
      {data && generations.length === 0 && (
        <p className="text-sm text-ink-soft">Nothing here yet. Your images are kept here.</p>
      )}
      <ul className="grid grid-cols-2 gap-x-3 gap-y-4 min-[30rem]:grid-cols-3 md:grid-cols-4 xl:grid-cols-2">
        {generations.map((view) => (
          <Tile key={view.id} view={view} current={view.id === currentId} onShow={() => onShow(view.id)} />
        ))}
      </ul>
      <div ref={end} />
      <PagedListFooter
        error={error}
        hasNextPage={hasNextPage}
        loadingNextPage={isFetchingNextPage}
        onRetry={() => (data ? fetchNextPage() : refetch())}
        onNextPage={() => fetchNextPage()}
      />
    </section>
  );
}

interface TileProps {
  view: GenerationView;
  /** Whether it is shown in the main area. */
  current: boolean;
  onShow: () => void;
}

function Tile({ view, current, onShow }: TileProps) {
  const dates = useDates();
  return (
    <li>
      <button
        type="button"
        onClick={onShow}
        aria-current={current ? 'true' : undefined}
        className="group block w-full rounded-field text-left"
      >
        <Thumbnail view={view} current={current} />
        <span className="mt-1.5 block truncate text-sm font-medium">{view.productName || view.prompt}</span>
        <span className="block text-xs text-ink-soft">
          {view.state === 'succeeded' ? (
            <time dateTime={view.createdAt}>{dates.shortDateTime(view.createdAt)}</time>
          ) : (
            labelOf(view)
          )}
        </span>
      </button>
    </li>
  );
}

/** The image or, without one, the first photo with an icon of the state. */
function Thumbnail({ view, current }: { view: GenerationView; current: boolean }) {
  const url = view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  const succeeded = view.state === 'succeeded';
  return (
    <span
      className={clsx(
        'sweep relative block aspect-square overflow-hidden rounded-field outline-offset-2',
        current
          ? 'ring-2 ring-accent ring-offset-2 ring-offset-page'
          : 'ring-1 ring-line group-hover:ring-line-strong',
      )}
    >
      {url && (
        <img
          src={url}
          alt=""
          loading="lazy"
          className={clsx('size-full object-cover', !succeeded && 'opacity-40 grayscale-50')}
        />
      )}
      {!succeeded && (
        <span className="absolute inset-0 grid place-items-center">
          <span className="grid size-9 place-items-center rounded-full bg-surface shadow-card">
            <StateIcon state={view.state} />
          </span>
        </span>
      )}
    </span>
  );
}

function StateIcon({ state }: Pick<GenerationView, 'state'>) {
  if (!hasEnded(state)) return <Spinner className="text-accent" />;
  if (state === 'failed') return <CircleAlert aria-hidden className="size-4.5 text-danger" />;
  return <Ban aria-hidden className="size-4.5 text-ink-soft" />;
}
