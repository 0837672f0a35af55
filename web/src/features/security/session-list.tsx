import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import type { SessionView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { endSession, setLeaving } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { endAllSessions } from './api/end-all-sessions.ts';
import { endOneSession } from './api/end-one-session.ts';
import { listSessions } from './api/list-sessions.ts';

/** Where the seller is signed in: which devices, since when, and the ways to end that. */
export function SessionList() {
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => listSessions(signal),
    refetchOnMount: 'always',
  });
  const sessions = data?.sessions.toSorted((first, second) => Number(second.current) - Number(first.current));
  return (
    <div id="sessions" className="scroll-mt-32 border-t border-line pt-6 lg:scroll-mt-20">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h3 className="font-medium">Where you are signed in</h3>
        <Button look="secondary" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      {!sessions && !error && (
        <p role="status" className="mt-3 flex min-h-14 items-center gap-2 text-sm text-ink-soft">
          <Spinner /> Loading…
        </p>
      )}
      {error && (
        <div className="mt-3 grid justify-items-start gap-2">
          <Notice tone="danger">{messageOf(error)}</Notice>
          <Button look="secondary" onClick={() => refetch()}>
            Try again
          </Button>
        </div>
      )}
      <ul className="mt-2 divide-y divide-line">
        {sessions?.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </ul>
      <EverywhereDialog open={asking} onClose={() => setAsking(false)} />
    </div>
  );
}

function OneSession({ session }: { session: SessionView }) {
  const client = useQueryClient();
  const dates = useDates();
  const { mutate, isPending } = useMutation({
    mutationFn: () => endOneSession(session.id),
    networkMode: 'always',
    onSuccess: () => toast.success(`${session.device} is signed out.`),
    onError: (failure) => toast.error(messageOf(failure)),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions }),
  });
  const Icon = /android|ios|iphone|ipad|mobile/i.test(session.device) ? Smartphone : Monitor;
  return (
    <li className="flex min-h-16 items-center gap-3.5 py-2.5">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{session.device}</p>
        <p className="text-sm text-ink-soft">
          {session.address} ·{' '}
          {session.current ? (
            <span className="font-semibold text-good">this one</span>
          ) : (
            <>last seen {dates.ago(session.lastSeenAt, serverNow())}</>
          )}
          <span className="max-sm:hidden"> · since {dates.shortMoment(session.startedAt)}</span>
        </p>
      </div>
      {!session.current && (
        <SubmitButton
          type="button"
          look="quiet"
          className="-mr-3"
          busy={isPending}
          busyLabel="Ending..."
          aria-label={`Sign out ${session.device}`}
          onClick={() => mutate()}
        >
          Sign out
        </SubmitButton>
      )}
    </li>
  );
}

function EverywhereDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: endAllSessions,
    networkMode: 'always',
    onMutate: () => setLeaving('left'),
    onSuccess: () => endSession(client, 'left'),
    onError: () => setLeaving(null),
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      title="Sign out everywhere?"
      description="Every device is signed out at once, this one too."
    >
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Stay signed in
        </Button>
        <SubmitButton type="button" busy={isPending} busyLabel="Signing out..." onClick={() => mutate()}>
          Sign out everywhere
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}
