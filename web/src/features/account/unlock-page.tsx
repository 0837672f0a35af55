import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { unlock } from './api.ts';
import { LinkAction } from './link-action.tsx';
import { LinkDone, LinkExpired } from './link-status.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in a mail about a locked account: unlocks it when its button is pressed. */
export function UnlockPage() {
  const title = 'Unlock your account';
  const headingRef = usePage(title);
  const client = useQueryClient();
  const token = useLinkToken();
  const [state, setState] = useState<'button' | 'done' | 'expired'>(token === '' ? 'expired' : 'button');
  if (state === 'done') {
    return (
      <LinkDone
        headingRef={headingRef}
        title="Your account is unlocked"
        lead="You can sign in again in this browser. If you didn't try to sign in, we recommend choosing a new password."
      />
    );
  }
  if (state === 'expired') {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used or is too old. You can also unlock your account by setting a new password."
        to="/forgot-password"
        label="Set a new password"
      />
    );
  }
  return (
    <LinkAction
      headingRef={headingRef}
      title={title}
      lead="You can then sign in again in this browser and on this network. If you didn't enter the wrong passwords, no action is needed."
      label="Unlock my account"
      busyLabel="Unlocking..."
      call={() => unlock(token)}
      onDone={() => {
        client.invalidateQueries({ queryKey: queryKeys.me });
        setState('done');
      }}
      onRefused={(code) => {
        if (code === 'TOKEN_INVALID') setState('expired');
      }}
    />
  );
}
