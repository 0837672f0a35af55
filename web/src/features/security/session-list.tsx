import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import type { SessionView } from '#contract';
import { messageOf, messageOrFallback } from '#web/lib/api.ts';
import { serverNow } from '#web/lib/clock.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { endSession, expectSessionEnd } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { endAllSessions, endOneSession, listSessions } from './api.ts';

/** The seller's sessions, with buttons to end them. */
export function SessionList() {
  const [dialogOpen, setDialogOpen] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => listSessions(signal),
    refetchOnMount: 'always',
  });
  const sessions = data?.sessions.toSorted((first, second) => Number(second.current) - Number(first.current));
  return (
    <Section
      id="sessions"
      title="Where you are signed in"
      trailing={
        <Button variant="secondary" onClick={() => setDialogOpen(true)}>
          Sign out everywhere
        </Button>
      }
    >
      {isPending && <ListSkeleton rows={1} />}
      {error && <ListError error={error} onRetry={() => refetch()} />}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
      <SignOutEverywhereDialog open={dialogOpen} onClose={() => setDialogOpen(false)} />
    </Section>
  );
}

function SessionItem({ session }: { session: SessionView }) {
  const client = useQueryClient();
  const dates = useDates();
  const { mutate, isPending } = useMutation({
    mutationFn: () => endOneSession(session.id),
    onSuccess: () => toast.success(`${session.device} is signed out.`),
    onError: (failure) => toast.error(messageOf(failure)),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
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
            <span className="font-semibold text-good">This device</span>
          ) : (
            <>last seen {dates.ago(session.lastSeenAt, serverNow())}</>
          )}
          {session.staysSignedIn && ' · stays signed in'}
          <span className="max-sm:hidden"> · since {dates.shortDateTime(session.startedAt)}</span>
        </p>
      </div>
      {!session.current && (
        <SubmitButton
          type="button"
          variant="quiet"
          className="-mr-3"
          busy={isPending}
          busyLabel="Signing out..."
          aria-label={`Sign out ${session.device}`}
          onClick={() => mutate()}
        >
          Sign out
        </SubmitButton>
      )}
    </li>
  );
}

function SignOutEverywhereDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: endAllSessions,
    onMutate: () => expectSessionEnd('signed-out'),
    onSuccess: () => endSession(client, 'signed-out'),
    onError: () => expectSessionEnd(null),
  });
  return (
    <ConfirmDialog
      open={open}
      title="Sign out everywhere?"
      description="You'll be signed out on all devices, including this one."
      label="Sign out everywhere"
      busyLabel="Signing out..."
      cancelLabel="Stay signed in"
      busy={isPending}
      error={error && messageOrFallback(error, 'An error occurred during sign out')}
      onConfirm={mutate}
      onClose={onClose}
    />
  );
}
