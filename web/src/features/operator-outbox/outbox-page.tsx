import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import type { OperatorEvent, OperatorMail } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { OperatorHeading } from '#web/ui/operator-heading.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { handleEvent, listEvents, listMails, sendMail } from './api/outbox.ts';

const refetchMs = 10_000;

/** Mails and events of Stripe that failed. */
export function OutboxPage() {
  return (
    <>
      <OperatorHeading>Mails and events</OperatorHeading>
      <Mails />
      <Events />
    </>
  );
}

function Mails() {
  const client = useQueryClient();
  const queryKey = ['operator', 'mails'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listMails(signal),
    refetchInterval: refetchMs,
  });
  const [asked, setAsked] = useState<OperatorMail | null>(null);
  return (
    <Section
      id="mails"
      title="Mails that failed"
      {...(data && {
        lead: data.waiting === 1 ? '1 mail is not sent yet.' : `${data.waiting} mails are not sent yet.`,
      })}
    >
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.failed.length === 0 && <p className="text-ink-soft">None. All mails that were tried arrived.</p>}
      <ul className="divide-y divide-line">
        {data?.failed.map((mail) => (
          <MailLine key={mail.id} mail={mail} onSend={() => setAsked(mail)} />
        ))}
      </ul>
      {asked && (
        <ReasonDialog
          title="Send the mail again"
          description={`“${asked.subject}” to ${asked.to}. Links in it may have expired.`}
          submitLabel="Send again"
          run={(reason) => sendMail(asked.id, reason)}
          onDone={(list) => {
            client.setQueryData(queryKey, list);
            toast.success('The mail is being sent.');
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}

function MailLine({ mail, onSend }: { mail: OperatorMail; onSend: () => void }) {
  const dates = useDates();
  const { to, subject, createdAt, attempts, failure, nextTryAt, canSendAgain } = mail;
  const next = nextTryAt === null ? 'given up' : `next try on ${dates.dateTime(nextTryAt)}`;
  return (
    <li className="grid gap-2 py-3 text-[0.9375rem] sm:flex sm:items-center sm:justify-between sm:gap-4">
      <div className="min-w-0">
        <p className="font-semibold break-words">{subject}</p>
        <p className="text-sm break-words text-ink-soft">
          {to} · {dates.dateTime(createdAt)} · {attempts === 1 ? '1 try' : `${attempts} tries`}, {next}
        </p>
        <p className="text-sm break-words text-danger">{failure}</p>
      </div>
      {canSendAgain && (
        <Button variant="secondary" className="justify-self-start" onClick={onSend}>
          Send again
        </Button>
      )}
    </li>
  );
}

function Events() {
  const client = useQueryClient();
  const queryKey = ['operator', 'events'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listEvents(signal),
    refetchInterval: refetchMs,
  });
  const [asked, setAsked] = useState<OperatorEvent | null>(null);
  return (
    <Section
      id="events"
      title="Events of Stripe that were not handled"
      lead="Upkeep tries each of them again by itself."
    >
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.events.length === 0 && <p className="text-ink-soft">None. All events were handled.</p>}
      <ul className="divide-y divide-line">
        {data?.events.map((event) => (
          <EventLine key={event.id} event={event} onHandle={() => setAsked(event)} />
        ))}
      </ul>
      {asked && (
        <ReasonDialog
          title="Handle the event again"
          description={`${asked.type}: Stripe is read, and plan and balance of the seller follow from it.`}
          submitLabel="Handle again"
          run={(reason) => handleEvent(asked.id, reason)}
          onDone={(list) => {
            client.setQueryData(queryKey, list);
            toast.success('The event was handled.');
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}

function EventLine({ event, onHandle }: { event: OperatorEvent; onHandle: () => void }) {
  const dates = useDates();
  const { id, type, customer, receivedAt, tries, nextTryAt } = event;
  return (
    <li className="grid gap-2 py-3 text-[0.9375rem] sm:flex sm:items-center sm:justify-between sm:gap-4">
      <div className="min-w-0">
        <p className="font-semibold break-words">{type}</p>
        <p className="text-sm break-words text-ink-soft">
          {id}
          {customer !== null && ` · ${customer}`} · {dates.dateTime(receivedAt)} ·{' '}
          {tries === 1 ? '1 try' : `${tries} tries`}
          {nextTryAt !== null && `, next one on ${dates.dateTime(nextTryAt)}`}
        </p>
      </div>
      <Button variant="secondary" className="justify-self-start" onClick={onHandle}>
        Handle again
      </Button>
    </li>
  );
}
