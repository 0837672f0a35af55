import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import type { CreditEntryView, SubscriptionView } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { PagedListFooter } from '#web/ui/paged-list-footer.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { listCreditEntries } from './api/list-credit-entries.ts';
import { ledgerEntryLabel } from './ledger-labels.ts';
import { PlanMeter } from './plan-meter.tsx';

/** The seller's image balance, and the ledger entries that it comes from, newest first. */
export function Ledger({ subscription }: { subscription: SubscriptionView }) {
  const list = useCreditEntries(subscription.revision);
  const { data, isPending } = list;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <Section id="balance" title="Image balance">
        <PlanMeter subscription={subscription} />
      </Section>
      <Section id="history" title="History" lead="Images added, used and refunded.">
        {isPending && <ListSkeleton />}
        {data && entries.length === 0 && (
          <p className="text-ink-soft">No usage yet. The images you get and use appear here.</p>
        )}
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <LedgerEntry key={entry.id} entry={entry} />
          ))}
        </ul>
        <PagedListFooter list={list} />
      </Section>
    </>
  );
}

/** @param revision of the subscription; a change refetches the list */
function useCreditEntries(revision: number) {
  const client = useQueryClient();
  const fetchedRevision = useRef(revision);
  useEffect(() => {
    if (fetchedRevision.current === revision) return;
    fetchedRevision.current = revision;
    client.invalidateQueries({ queryKey: queryKeys.creditEntries });
  }, [revision, client]);
  return useInfiniteQuery({
    queryKey: queryKeys.creditEntries,
    queryFn: ({ pageParam, signal }) => listCreditEntries(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

function LedgerEntry({ entry }: { entry: CreditEntryView }) {
  const dates = useDates();
  const { count, text } = ledgerEntryLabel(entry, dates);
  const adds = ['grant', 'reinstate', 'support-added'].includes(entry.kind);
  return (
    <li className="flex items-baseline gap-4 py-2.5 text-[0.9375rem]">
      <span
        className={clsx(
          'w-12 shrink-0 text-right font-semibold tabular-nums',
          adds && 'text-good',
          !adds && count === '0' && 'text-ink-soft',
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
          {dates.shortDateTime(entry.at)}
        </time>
      </span>
    </li>
  );
}
