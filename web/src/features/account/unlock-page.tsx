import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { unlock } from './api/unlock.ts';
import { LinkDone, LinkExpired, LinkFailed, LinkPending } from './link-status.tsx';
import { useMailLink } from './use-mail-link.ts';

/** Target of the link in a mail about a locked account: unlocks it. */
export function UnlockPage() {
  const title = 'Unlocking your account';
  const headingRef = usePage(title);
  const client = useQueryClient();
  const { result } = useMailLink('unlock', unlock);
  const done = result.state === 'done';
  useEffect(() => {
    if (done) client.invalidateQueries({ queryKey: queryKeys.me });
  }, [done, client]);

  if (result.state === 'pending') {
    return <LinkPending headingRef={headingRef} title={title} text="One moment…" />;
  }
  if (result.state === 'done') {
    return (
      <LinkDone
        headingRef={headingRef}
        title="Your account is unlocked"
        lead="You can sign in again. If you didn't try to sign in, we recommend choosing a new password."
      />
    );
  }
  if (result.code === 'TOKEN_INVALID') {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used or is too old. You can also unlock your account by setting a new password."
        to="/forgot-password"
        label="Set a new password"
      />
    );
  }
  return <LinkFailed headingRef={headingRef} title={title} error={result.error} onRetry={result.retry} />;
}
