import type { Ref } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { useMayBeSignedIn } from '#web/lib/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { AccountPage } from './account-page.tsx';

interface LinkDoneProps {
  headingRef: Ref<HTMLHeadingElement>;
  title: string;
  lead: string;
}

/** Shown when the link of a mail has worked. */
export function LinkDone({ headingRef, title, lead }: LinkDoneProps) {
  const signedIn = useMayBeSignedIn();
  return (
    <AccountPage headingRef={headingRef} title={title} lead={lead}>
      <Link to={signedIn ? pages.profile : pages.login} className={buttonClass('primary', 'w-full')}>
        {signedIn ? 'Open your account settings' : 'Sign in'}
      </Link>
    </AccountPage>
  );
}

interface LinkExpiredProps {
  headingRef: Ref<HTMLHeadingElement>;
  lead: string;
  /** Target and label of the link to the next step. */
  to: string;
  label: string;
}

/** Shown when the link of a mail no longer works. */
export function LinkExpired({ headingRef, lead, to, label }: LinkExpiredProps) {
  return (
    <AccountPage headingRef={headingRef} title="This link has expired" lead={lead}>
      <Link to={to} className={buttonClass('primary', 'w-full')}>
        {label}
      </Link>
    </AccountPage>
  );
}
