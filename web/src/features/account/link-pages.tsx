import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { messageOf } from '#web/lib/api.ts';
import { keys } from '#web/lib/generations/cache.ts';
import { usePage } from '#web/lib/page.ts';
import { useMaySignedIn } from '#web/lib/session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { AccountPage } from './account-page.tsx';
import { unlock } from './api/unlock.ts';
import { useLink } from './use-link.ts';

interface LinkPageProps {
  name: string;
  title: string;
  use: (token: string) => Promise<void>;
  done: { title: string; lead: string };
  /** What to do where the link no longer works, and where. */
  otherwise: { lead: string; label: string; to: string };
}

/** A page that uses the link of a mail at once, says what it did, and leads on. */
function LinkPage({ name, title, use, done, otherwise }: LinkPageProps) {
  const heading = usePage(title);
  const client = useQueryClient();
  const { outcome } = useLink(name, use);
  const signedIn = useMaySignedIn();
  const isDone = outcome.state === 'done';
  useEffect(() => {
    if (isDone) client.invalidateQueries({ queryKey: keys.me });
  }, [isDone, client]);
  if (isDone) {
    return (
      <AccountPage headingRef={heading} title={done.title} lead={done.lead}>
        <Link to={signedIn ? '/profile' : '/login'} className={buttonClass('primary', 'w-full')}>
          {signedIn ? 'Open your profile' : 'Sign in'}
        </Link>
      </AccountPage>
    );
  }
  if (outcome.state === 'working') {
    return (
      <AccountPage headingRef={heading} title={title} lead="This takes a moment.">
        <p role="status" className="flex items-center gap-3 text-ink-soft">
          <Spinner /> One moment…
        </p>
      </AccountPage>
    );
  }
  if (outcome.code === 'TOKEN_INVALID') {
    return (
      <AccountPage headingRef={heading} title="This link has expired" lead={otherwise.lead}>
        <Link to={otherwise.to} className={buttonClass('primary', 'w-full')}>
          {otherwise.label}
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage headingRef={heading} title={title} lead="That did not work yet.">
      <div className="grid gap-5">
        <Notice tone="danger">{messageOf(outcome.error)}</Notice>
        <Button onClick={outcome.tryAgain}>Try again</Button>
      </div>
    </AccountPage>
  );
}

/** Where the link of a lock-out mail leads. */
export function UnlockPage() {
  return (
    <LinkPage
      name="unlock"
      title="Unlocking your account"
      use={unlock}
      done={{
        title: 'Your account is unlocked',
        lead: 'You can sign in again. If somebody else tried your password, a new one is a good idea.',
      }}
      otherwise={{
        lead: 'It was used before or is too old. A new password unlocks your account as well.',
        label: 'Set a new password',
        to: '/forgot-password',
      }}
    />
  );
}
