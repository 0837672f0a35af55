import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import type { OperatorWebhookCall } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { callWebhook, listWebhookCalls } from './api/outbox.ts';
import { OutboxLine, outboxRefetchMs, triesText } from './outbox-line.tsx';

/** Calls of the alert webhook that were not accepted. */
export function WebhookCalls() {
  const client = useQueryClient();
  const queryKey = ['operator', 'webhook-calls'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listWebhookCalls(signal),
    refetchInterval: outboxRefetchMs,
  });
  const [asked, setAsked] = useState<OperatorWebhookCall | null>(null);
  return (
    <Section
      id="webhook"
      title="Alerts that the webhook did not accept"
      lead="Each is tried again for a day, then given up."
    >
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.failed.length === 0 && <p className="text-ink-soft">None.</p>}
      <ul className="divide-y divide-line">
        {data?.failed.map((call) => (
          <CallLine key={call.id} call={call} onSend={() => setAsked(call)} />
        ))}
      </ul>
      {asked && (
        <ReasonDialog
          title="Call the webhook again"
          description={`“${asked.title}” The receiver may get it for the second time.`}
          submitLabel="Call again"
          run={(reason) => callWebhook(asked.id, reason)}
          onDone={(list) => {
            client.setQueryData(queryKey, list);
            toast.success('The webhook will be called within seconds.');
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}

function CallLine({ call, onSend }: { call: OperatorWebhookCall; onSend: () => void }) {
  const dates = useDates();
  const { title, details, createdAt, attempts, failure, nextTryAt } = call;
  return (
    <OutboxLine
      title={title}
      details={details}
      facts={[dates.dateTime(createdAt), triesText(attempts, nextTryAt, dates)]}
      failure={failure}
      action={nextTryAt === null ? { name: 'Call again', run: onSend } : null}
    />
  );
}
