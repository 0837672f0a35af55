import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type Dates, useDates } from '#web/lib/dates.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { type OutboxEntry, OutboxLine } from './outbox-line.tsx';

/** How often the lists are read again, in ms. */
const refetchMs = 10_000;

interface OutboxSectionProps<Item extends { id: string }, List> {
  /** Of the section; also the key of its list in the cache. */
  id: string;
  title: string;
  /** @param list undefined until it is read */
  lead: (list: List | undefined) => string | undefined;
  read: (signal: AbortSignal) => Promise<List>;
  itemsOf: (list: List) => readonly Item[];
  /** What stands in place of an empty list. */
  none: string;
  entryOf: (item: Item, dates: Dates) => OutboxEntry;
  repeat: {
    name: string;
    isPossible: (item: Item) => boolean;
    title: string;
    describe: (item: Item) => string;
    run: (id: string, reason: string) => Promise<List>;
    done: string;
  };
}

/** A list of what was not delivered or handled, each of which an operator can have repeated for a reason. */
export function OutboxSection<Item extends { id: string }, List>(props: OutboxSectionProps<Item, List>) {
  const { id, title, lead, read, itemsOf, none, entryOf, repeat } = props;
  const client = useQueryClient();
  const dates = useDates();
  const queryKey = ['operator', id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: refetchMs,
  });
  const [asked, setAsked] = useState<Item | null>(null);
  const items = data && itemsOf(data);
  const text = lead(data);
  return (
    <Section id={id} title={title} {...(text !== undefined && { lead: text })}>
      {!items && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {items?.length === 0 && <p className="text-ink-soft">{none}</p>}
      <ul className="divide-y divide-line">
        {items?.map((item) => (
          <OutboxLine
            key={item.id}
            entry={entryOf(item, dates)}
            action={repeat.isPossible(item) ? { name: repeat.name, run: () => setAsked(item) } : null}
          />
        ))}
      </ul>
      {asked && (
        <ReasonDialog
          title={repeat.title}
          description={repeat.describe(asked)}
          submitLabel={repeat.name}
          run={(reason) => repeat.run(asked.id, reason)}
          onDone={(list) => {
            client.setQueryData(queryKey, list);
            toast.success(repeat.done);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}
