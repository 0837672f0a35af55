import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SubscriptionView } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { LedgerEntries } from '#web/ui/ledger-entries.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { listCreditEntries } from './api.ts';
import { PlanMeter } from './plan-meter.tsx';

interface LedgerProps {
  subscription: SubscriptionView;
  /** Between the balance and the entries. */
  children: ReactNode;
}

/** The seller's image balance, and the ledger entries that it comes from, newest first. */
export function Ledger({ subscription, children }: LedgerProps) {
  const list = useCreditEntries(subscription.revision);
  const { data, isPending } = list;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <Section id="balance" title="Image balance">
        <PlanMeter subscription={subscription} />
      </Section>
      {children}
      <Section id="history" title="History" lead="Images added, used and refunded.">
        {isPending && <ListSkeleton />}
        {data && entries.length === 0 && (
          <p className="text-ink-soft">No usage yet. The images you get and use appear here.</p>
        )}
        <LedgerEntries entries={entries} />
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
