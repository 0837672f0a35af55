import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import { messageOf } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { listCreditEntries } from './api/list-credit-entries.ts';
import { ledgerEntryLabel } from './ledger-labels.ts';

/** Every grant, generation, refund and forfeit in words, newest first. @param revision of the subscription's view */
export function Ledger({ revision }: { revision: number }) {
  const client = useQueryClient();
  const dates = useDates();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: keys.creditEntries,
      queryFn: ({ pageParam, signal }) => listCreditEntries(pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
    });
  const known = useRef(revision);
  useEffect(() => {
    if (known.current === revision) return;
    known.current = revision;
    client.invalidateQueries({ queryKey: keys.creditEntries });
  }, [revision, client]);

  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section id="images" title="Your images, counted" lead="Every image that was added, used or not counted.">
      {isPending && (
        <p role="status" className="flex items-center gap-2 text-sm text-ink-soft">
          <Spinner /> Loading…
        </p>
      )}
      {data && entries.length === 0 && (
        <p className="text-ink-soft">Nothing here yet. The first line comes with your plan.</p>
      )}
      <ul className="divide-y divide-line">
        {entries.map((entry) => {
          const { count, text } = ledgerEntryLabel(entry, dates);
          return (
            <li key={entry.id} className="flex items-baseline gap-4 py-2.5 text-[0.9375rem]">
              <span
                className={clsx(
                  'w-12 shrink-0 text-right font-semibold tabular-nums',
                  ['grant', 'reinstate'].includes(entry.kind)
                    ? 'text-good'
                    : count === '0' && 'text-ink-soft',
                )}
              >
                {count}
              </span>
              <span className="min-w-0 flex-1">
                {text}
                <time
                  dateTime={entry.at}
                  className="block text-sm whitespace-nowrap text-ink-soft sm:float-right sm:ml-4 sm:inline"
                >
                  {dates.shortMoment(entry.at)}
                </time>
              </span>
            </li>
          );
        })}
      </ul>
      {error && (
        <div className="mt-3 grid justify-items-start gap-2">
          <Notice tone="danger">{messageOf(error)}</Notice>
          <Button look="secondary" onClick={() => (data ? fetchNextPage() : refetch())}>
            Try again
          </Button>
        </div>
      )}
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
    </Section>
  );
}
