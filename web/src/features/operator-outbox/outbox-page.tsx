import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import type { OperatorEvent, OperatorMail } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { OperatorHeading } from '#web/ui/operator-heading.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { handleEvent, listEvents, listMails, sendMail } from './api/outbox.ts';
import { OutboxLine, outboxRefetchMs, triesText } from './outbox-line.tsx';
import { WebhookCalls } from './webhook-calls.tsx';

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

function Mails() {
  const client = useQueryClient();
  const queryKey = ['operator', 'mails'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listMails(signal),
    refetchInterval: outboxRefetchMs,
  });
  const [asked, setAsked] = useState<OperatorMail | null>(null);
  return (
    <Section
      id="mails"
      title="Mails that failed"
      {...(data && {
        lead: waitingText(data.waiting),
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

function waitingText(count: number): string {
  if (count === 0) return 'No mails are waiting to be sent.';
  return count === 1 ? '1 mail is waiting to be sent.' : `${count} mails are waiting to be sent.`;
}

function MailLine({ mail, onSend }: { mail: OperatorMail; onSend: () => void }) {
  const dates = useDates();
  const { to, subject, createdAt, attempts, failure, nextTryAt, canSendAgain } = mail;
  return (
    <OutboxLine
      title={subject}
      facts={[to, dates.dateTime(createdAt), triesText(attempts, nextTryAt, dates)]}
      failure={failure}
      action={canSendAgain ? { name: 'Send again', run: onSend } : null}
    />
  );
}

function Events() {
  const client = useQueryClient();
  const queryKey = ['operator', 'events'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listEvents(signal),
    refetchInterval: outboxRefetchMs,
  });
  const [asked, setAsked] = useState<OperatorEvent | null>(null);
  return (
    <Section
      id="events"
      title="Stripe events that were not handled"
      lead="Each is tried again automatically."
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
  const next = nextTryAt === null ? '' : `, next try on ${dates.dateTime(nextTryAt)}`;
  return (
    <OutboxLine
      title={type}
      facts={[
        id,
        ...(customer === null ? [] : [customer]),
        dates.dateTime(receivedAt),
        `${tries === 1 ? '1 try' : `${tries} tries`}${next}`,
      ]}
      failure={null}
      action={{ name: 'Handle again', run: onHandle }}
    />
  );
}
