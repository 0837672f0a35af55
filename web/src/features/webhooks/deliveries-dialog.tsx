import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { isolateName, limits, type Webhook, type WebhookDelivery, type WebhookFailure } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { listDeliveries, resendDelivery, sendTestEvent } from './api.ts';

/** How often the log is read while something is on its way, in ms. */
const refreshMs = 2_000;

/** What was sent to a webhook, and what it answered; sends a test event, and what was sent before. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, url, enabled } = webhook;
  const client = useQueryClient();
  const queryKey = [...queryKeys.webhooks, id, 'deliveries'];
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey,
      queryFn: ({ pageParam, signal }) => listDeliveries(id, pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      refetchInterval: ({ state }) =>
        state.data?.pages[0]?.deliveries.some(({ state: each }) => each === 'waiting') ? refreshMs : false,
    });
  const send = useMutation({
    mutationFn: (deliveryId: string | null) =>
      deliveryId === null ? sendTestEvent(id) : resendDelivery(id, deliveryId),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks }),
    onError: (error) => toastError(messageOf(error)),
  });
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Deliveries"
      description={
        <>
          What we sent to <span className="wrap-anywhere">{isolateName(url)}</span> in the last{' '}
          {limits.webhookLogDays} days, and what it answered.
        </>
      }
    >
      <Button variant="secondary" disabled={!enabled || send.isPending} onClick={() => send.mutate(null)}>
        Send a test event
      </Button>
      {!enabled && <p className="mt-2 text-sm text-ink-soft">Switch the webhook on to send something.</p>}
      <div className="mt-4" aria-live="polite">
        {isPending && <ListSkeleton rows={3} />}
        {error && <ListError error={error} onRetry={() => refetch()} />}
        {data && deliveries.length === 0 && <p className="text-ink-soft">Nothing was sent yet.</p>}
        <ul aria-label="Deliveries" className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              onResend={enabled && !send.isPending ? () => send.mutate(delivery.id) : null}
            />
          ))}
        </ul>
        {hasNextPage && (
          <Button variant="quiet" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const states = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Not delivered' } as const;

const failures: Readonly<Record<WebhookFailure, string>> = {
  status: 'not accepted',
  redirect: 'it sent us to another address, which we do not follow',
  timeout: `no whole answer within ${limits.webhookSeconds} seconds`,
  unreachable: 'no connection, or it broke',
  certificate: 'its certificate is not valid',
  'not-public': 'its address is not on the public internet',
};

function DeliveryItem(props: { delivery: WebhookDelivery; onResend: (() => void) | null }) {
  const { type, state, createdAt, nextTryAt, body, tries, eventId } = props.delivery;
  const dates = useDates();
  const isDone = state === 'delivered';
  return (
    <li className="py-2">
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3">
          <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft group-open:rotate-90" />
          <span className="font-mono text-sm" translate="no">
            {type}
          </span>
          <span className={state === 'failed' ? 'text-sm font-medium text-danger' : 'text-sm font-medium'}>
            {states[state]}
          </span>
          <span className="text-sm text-ink-soft">{dates.shortDateTime(createdAt)}</span>
        </summary>
        <div className="mt-1 grid gap-3 pb-2 text-sm">
          <p className="wrap-anywhere text-ink-soft">
            webhook-id <code translate="no">{eventId}</code>
          </p>
          <Text label="Body" text={body} />
          {tries.length > 0 && (
            <ol aria-label="Tries" className="grid gap-2">
              {tries.map(({ at, status, failure, milliseconds, reply }) => (
                <li key={at}>
                  <p>
                    {dates.shortDateTime(at)}: {status ?? 'no answer'}
                    {failure && `, ${failures[failure]}`} (
                    {milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`})
                  </p>
                  {reply !== '' && <Text label="Answer" text={reply} />}
                </li>
              ))}
            </ol>
          )}
          {nextTryAt !== null && tries.length > 0 && <p>Next try {dates.shortDateTime(nextTryAt)}.</p>}
          <div>
            <Button variant="secondary" disabled={props.onResend === null} onClick={() => props.onResend?.()}>
              {isDone ? 'Send again' : 'Send now'}
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}

/** What somebody's program wrote: shown as it is. */
function Text({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-ink-soft">{label}</p>
      <pre
        dir="auto"
        translate="no"
        className="mt-1 max-h-48 overflow-auto rounded-field bg-sunken p-3 font-mono text-[0.8125rem] break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}
