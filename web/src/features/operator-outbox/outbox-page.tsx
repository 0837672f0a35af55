import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { type Dates, useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { callWebhook, handleEvent, listEvents, listMails, listWebhookCalls, sendMail } from './api.ts';

/** Mails, events of Stripe and calls of the alert webhook that failed. */
export function OutboxPage() {
  return (
    <>
      <OperatorHeading>Mails and webhooks</OperatorHeading>
      <Mails />
      <Events />
      <WebhookCalls />
    </>
  );
}

/** Mails that were not accepted. */
export function Mails() {
  return (
    <OutboxSection
      id="mails"
      title="Mails that failed"
      lead={(list) => list && waitingText(list.waiting)}
      read={listMails}
      itemsOf={({ failed }) => failed}
      none="None. All mails that were tried arrived."
      entryOf={({ to, subject, createdAt, attempts, failure, nextTryAt }, dates) => ({
        title: subject,
        facts: [to, dates.dateTime(createdAt), triesText(attempts, nextTryAt, ', given up', dates)],
        failure,
      })}
      repeat={{
        name: 'Send again',
        isPossible: ({ canSendAgain }) => canSendAgain,
        title: 'Send the mail again',
        describe: ({ subject, to }) => `“${subject}” to ${to}. Links in it may have expired.`,
        run: sendMail,
        done: 'The mail is being sent.',
      }}
    />
  );
}

function waitingText(count: number): string {
  if (count === 0) return 'No mails are waiting to be sent.';
  return count === 1 ? '1 mail is waiting to be sent.' : `${count} mails are waiting to be sent.`;
}

/** Events of Stripe that were not handled. */
function Events() {
  return (
    <OutboxSection
      id="events"
      title="Stripe events that were not handled"
      lead={() => 'Each is tried again automatically.'}
      read={listEvents}
      itemsOf={({ events }) => events}
      none="None. All events were handled."
      entryOf={({ id, type, customer, receivedAt, tries, nextTryAt }, dates) => ({
        title: type,
        facts: [
          id,
          ...(customer === null ? [] : [customer]),
          dates.dateTime(receivedAt),
          triesText(tries, nextTryAt, '', dates),
        ],
        failure: null,
      })}
      repeat={{
        name: 'Handle again',
        isPossible: () => true,
        title: 'Handle the event again',
        describe: ({ type }) => `${type}: Stripe is read, and plan and balance of the seller follow from it.`,
        run: handleEvent,
        done: 'The event was handled.',
      }}
    />
  );
}

/** Calls of the alert webhook that were not accepted. */
function WebhookCalls() {
  return (
    <OutboxSection
      id="webhook"
      title="Alerts that the webhook did not accept"
      lead={() => 'Each is tried again for a day, then given up.'}
      read={listWebhookCalls}
      itemsOf={({ failed }) => failed}
      none="None."
      entryOf={({ title, details, createdAt, attempts, failure, nextTryAt }, dates) => ({
        title,
        details,
        facts: [dates.dateTime(createdAt), triesText(attempts, nextTryAt, ', given up', dates)],
        failure,
      })}
      repeat={{
        name: 'Call again',
        isPossible: ({ nextTryAt }) => nextTryAt === null,
        title: 'Call the webhook again',
        describe: ({ title }) => `“${title}” The receiver may get it for the second time.`,
        run: callWebhook,
        done: 'The webhook will be called within seconds.',
      }}
    />
  );
}

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
function OutboxSection<Item extends { id: string }, List>(props: OutboxSectionProps<Item, List>) {
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

/** What the line of something that was not delivered or handled says. */
interface OutboxEntry {
  title: string;
  /** What exactly. */
  details?: string;
  facts: readonly string[];
  /** Why the last try failed; null where that is not known. */
  failure: string | null;
}

interface OutboxLineProps {
  entry: OutboxEntry;
  /** What an operator can do; null for nothing. */
  action: { name: string; run: () => void } | null;
}

function OutboxLine({ entry: { title, details, facts, failure }, action }: OutboxLineProps) {
  return (
    <li className="grid gap-2 py-3 text-[0.9375rem] sm:flex sm:items-center sm:justify-between sm:gap-4">
      <div className="min-w-0">
        <p className="font-semibold break-words">{title}</p>
        {details !== undefined && <p className="text-sm [overflow-wrap:anywhere]">{details}</p>}
        <p className="text-sm break-words text-ink-soft">{facts.join(' · ')}</p>
        {failure !== null && <p className="text-sm break-words text-danger">{failure}</p>}
      </div>
      {action && (
        <Button variant="secondary" className="shrink-0 justify-self-start" onClick={action.run}>
          {action.name}
        </Button>
      )}
    </li>
  );
}

/**
 * How often something was tried, and when it is tried next.
 * @param otherwise the end of the text where there is no next try
 */
function triesText(tries: number, nextTryAt: string | null, otherwise: string, dates: Dates): string {
  const next = nextTryAt === null ? otherwise : `, next try on ${dates.dateTime(nextTryAt)}`;
  return `${tries === 1 ? '1 try' : `${tries} tries`}${next}`;
}
