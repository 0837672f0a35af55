import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pages } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { confirmReachable } from './api.ts';
import { LinkAction } from './link-action.tsx';
import { LinkDone, LinkExpired } from './link-status.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in the mail to an address whose mail came back: confirms when its button is pressed that mail arrives. */
export function ConfirmReachablePage() {
  const title = 'Confirm that our email reaches you';
  const headingRef = usePage(title);
  const client = useQueryClient();
  const token = useLinkToken();
  const [state, setState] = useState<'button' | 'done' | 'expired'>(token === '' ? 'expired' : 'button');
  if (state === 'done') {
    return (
      <LinkDone headingRef={headingRef} title="Thanks, that worked" lead="You'll get our email again." />
    );
  }
  if (state === 'expired') {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used or is too old. You can ask for another one in your account settings."
        to={pages.profile}
        label="Open your account settings"
      />
    );
  }
  return (
    <LinkAction
      headingRef={headingRef}
      title={title}
      lead="Our email to this address came back before."
      label="Confirm my email"
      busyLabel="Confirming..."
      call={() => confirmReachable(token)}
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
