import clsx from 'clsx';
import { Ban, CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { useGenerations } from '#web/lib/generations/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const stateLabels: Readonly<Record<GenerationView['state'], string>> = {
  queued: 'In the queue',
  running: 'Being made',
  succeeded: 'Made',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

function labelOf({ state, imageUsed }: GenerationView): string {
  return state === 'cancelled' && imageUsed ? 'Stopped · 1 image used' : stateLabels[state];
}

function Tile({ view, current, onShow }: { view: GenerationView; current: boolean; onShow: () => void }) {
  const dates = useDates();
  const picture = view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  const pending = !hasEnded(view.state);
  const made = view.state === 'succeeded';
  return (
    <li>
      <button
        type="button"
        onClick={onShow}
        aria-current={current ? 'true' : undefined}
        className="group block w-full rounded-field text-left"
      >
        <span
          className={clsx(
            'sweep relative block aspect-square overflow-hidden rounded-field outline-offset-2',
            current
              ? 'ring-2 ring-accent ring-offset-2 ring-offset-page'
              : 'ring-1 ring-line group-hover:ring-line-strong',
          )}
        >
          {picture && (
            <img
              src={picture}
              alt=""
              loading="lazy"
              className={clsx('size-full object-cover', !made && 'opacity-40 grayscale-50')}
            />
          )}
          {!made && (
            <span className="absolute inset-0 grid place-items-center">
              <span className="grid size-9 place-items-center rounded-full bg-surface shadow-card">
                {pending ? (
                  <Spinner className="text-accent" />
                ) : view.state === 'failed' ? (
                  <CircleAlert aria-hidden className="size-4.5 text-danger" />
                ) : (
                  <Ban aria-hidden className="size-4.5 text-ink-soft" />
                )}
              </span>
            </span>
          )}
        </span>
        <span className="mt-1.5 block truncate text-sm font-medium">{view.productName || view.prompt}</span>
        <span className="block text-xs text-ink-soft">
          {made ? <time dateTime={view.createdAt}>{dates.shortMoment(view.createdAt)}</time> : labelOf(view)}
        </span>
      </button>
    </li>
  );
}

/** The seller's generations, newest first, page by page as one comes to the end. */
export function History({ currentId, onShow }: { currentId: string | null; onShow: (id: string) => void }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useGenerations();
  const end = useRef<HTMLDivElement>(null);
  const generations = data?.pages.flatMap((page) => page.generations) ?? [];

  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || error || end.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '200px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage]);

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
        <p className="text-sm text-ink-soft">Nothing here yet. What you generate is kept here.</p>
      )}
      <ul className="grid grid-cols-2 gap-x-3 gap-y-4 min-[30rem]:grid-cols-3 md:grid-cols-4 xl:grid-cols-2">
        {generations.map((view) => (
          <Tile key={view.id} view={view} current={view.id === currentId} onShow={() => onShow(view.id)} />
        ))}
      </ul>
      {error && (
        <div className="mt-3 grid justify-items-start gap-2">
          <Notice tone="danger">{messageOf(error)}</Notice>
          <Button look="secondary" onClick={() => (data ? fetchNextPage() : refetch())}>
            Try again
          </Button>
        </div>
      )}
      <div ref={end} />
      {hasNextPage && !error && (
        <Button
          look="secondary"
          className="mt-4"
          disabled={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </section>
  );
}
