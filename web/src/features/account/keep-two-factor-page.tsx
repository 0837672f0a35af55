import { useState } from 'react';
import { pages } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { keepTwoFactor } from './api.ts';
import { LinkAction } from './link-action.tsx';
import { LinkDone, LinkExpired } from './link-status.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in a mail about two-factor sign-in that our support is to turn off: keeps it when its button is pressed. */
export function KeepTwoFactorPage() {
  const title = 'Keep two-factor sign-in';
  const headingRef = usePage(title);
  const token = useLinkToken();
  const [state, setState] = useState<'button' | 'done' | 'expired'>(token === '' ? 'expired' : 'button');
  if (state === 'done') {
    return (
      <LinkDone
        headingRef={headingRef}
        title="Two-factor sign-in stays on"
        lead="If you didn't ask us to turn it off, someone else did. We recommend choosing a new password."
      />
    );
  }
  if (state === 'expired') {
    return (
      <LinkExpired
        headingRef={headingRef}
        lead="It was already used, or two-factor sign-in is no longer to be turned off."
        to={pages.login}
        label="Sign in"
      />
    );
  }
  return (
    <LinkAction
      headingRef={headingRef}
      title={title}
      lead="Someone told our support that they own your account and cannot enter a code any more."
      label="Keep two-factor sign-in on"
      busyLabel="One moment..."
      call={() => keepTwoFactor(token)}
      onDone={() => setState('done')}
      onRefused={(code) => {
        if (code === 'TOKEN_INVALID') setState('expired');
      }}
    />
  );
}
