import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { apiKeyModes, isolateName, limits, type Webhook, webhookEvents } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { changeWebhook, deleteWebhook, listWebhooks } from './api.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** The seller's webhooks, with buttons to make, change and try them. */
export function Webhooks() {
  const [making, setMaking] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: ({ signal }) => listWebhooks(signal),
  });
  const webhooks = data?.webhooks ?? [];
  // Those for tests have places of their own.
  const free = apiKeyModes.filter(
    (each) => webhooks.filter(({ mode }) => mode === each).length < limits.webhooks,
  );
  return (
    <Section
      id="webhooks"
      title="Webhooks"
      lead={
        <>
          We call your server when an image is ready, so that it need not ask.{' '}
          <Link to="/documentation/webhooks" className={textLinkClass}>
            How it works
          </Link>
        </>
      }
      trailing={
        <Button variant="secondary" disabled={free.length === 0} onClick={() => setMaking(true)}>
          Add a webhook
        </Button>
      }
    >
      {apiKeyModes
        .filter((mode) => !free.includes(mode))
        .map((mode) => (
          <p key={mode} className="text-sm text-ink-soft">
            You have {limits.webhooks} {mode} webhooks, which is the most.
          </p>
        ))}
      {isPending && <ListSkeleton rows={2} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      {data && webhooks.length === 0 && <p className="text-ink-soft">You have no webhooks.</p>}
      {webhooks.length > 0 && (
        <ul aria-label="Webhooks" className="divide-y divide-line">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {making && <WebhookDialog modes={free} onClose={() => setMaking(false)} />}
    </Section>
  );
}

type OpenDialog = 'log' | 'edit' | 'rotate' | 'delete';

function WebhookItem({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const { url, mode, events, enabled } = webhook;
  const close = () => setOpen(null);
  const action = (dialog: OpenDialog, label: string) => (
    <Button
      variant="quiet"
      className="-ml-3 px-3"
      aria-label={`${label}: ${isolateName(url)}`}
      onClick={() => setOpen(dialog)}
    >
      {label}
    </Button>
  );
  return (
    <li className="flex items-start gap-x-3.5 py-3">
      <WebhookIcon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere" translate="no">
          <Name>{url}</Name>
        </p>
        {mode === 'test' && <p className="text-sm font-medium">Test webhook: told of test keys only</p>}
        <State webhook={webhook} />
        <p className="mt-1 text-sm text-ink-soft">
          {events.map((event) => webhookEvents[event]).join(' · ')}
        </p>
        <div className="mt-1 flex flex-wrap gap-x-4">
          {!enabled && <SwitchOn webhook={webhook} />}
          {action('log', 'Deliveries')}
          {action('edit', 'Edit')}
          {action('rotate', 'New secret')}
          {action('delete', 'Delete')}
        </div>
      </div>
      {open === 'log' && <DeliveriesDialog webhook={webhook} onClose={close} />}
      {open === 'edit' && <WebhookDialog webhook={webhook} modes={[mode]} onClose={close} />}
      {open === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {open === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </li>
  );
}

/** Whether it is on, and since when it fails. */
function State({ webhook: { off, failingSince, previousSecretUntil } }: { webhook: Webhook }) {
  const dates = useDates();
  const line = (text: ReactNode, isProblem = false) => (
    <p className={isProblem ? 'text-sm font-medium text-danger' : 'text-sm text-ink-soft'}>{text}</p>
  );
  const why = {
    failing: `it accepted nothing for ${limits.webhookFailingDays} days`,
    gone: 'it answered 410 (Gone)',
    seller: 'you switched it off',
  };
  return (
    <>
      {off && line(`Off since ${dates.shortDateTime(off.at)}: ${why[off.reason]}.`, off.reason !== 'seller')}
      {!off &&
        failingSince !== null &&
        line(`Failing since ${dates.shortDateTime(failingSince)}. See the deliveries.`, true)}
      {!off && failingSince === null && line('On')}
      {previousSecretUntil !== null &&
        line(`The old secret works until ${dates.shortDateTime(previousSecretUntil)}.`)}
    </>
  );
}

function SwitchOn({ webhook: { id, url } }: { webhook: Webhook }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeWebhook(id, { enabled: true }),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: queryKeys.webhooks });
      toast.success('The webhook is on again.');
    },
    onError: (error) => toastError(messageOf(error)),
  });
  return (
    <Button
      variant="secondary"
      disabled={isPending}
      aria-label={`Switch on: ${isolateName(url)}`}
      onClick={() => mutate()}
    >
      Switch on
    </Button>
  );
}

function DeleteDialog({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteWebhook(id),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: queryKeys.webhooks });
      toast.success('The webhook was deleted.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      description={`${isolateName(url)} gets no more events, and the log of its deliveries is deleted. This can't be undone.`}
      label="Delete"
      busyLabel="Deleting..."
      cancelLabel="Keep it"
      busy={isPending}
      error={error && messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
