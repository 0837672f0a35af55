import type { Ref } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useMayBeSignedIn } from '#web/lib/session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { AccountPage } from './account-page.tsx';

interface LinkPageProps {
  headingRef: Ref<HTMLHeadingElement>;
  title: string;
}

/** Shown while the token of a mail's link is being sent. @param text beside the spinner */
export function LinkPending({ headingRef, title, text }: LinkPageProps & { text: string }) {
  return (
    <AccountPage headingRef={headingRef} title={title} lead="This takes a moment.">
      <p role="status" className="flex items-center gap-3 text-ink-soft">
        <Spinner /> {text}
      </p>
    </AccountPage>
  );
}

/** Shown when the link of a mail has worked. */
export function LinkDone({ headingRef, title, lead }: LinkPageProps & { lead: string }) {
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

interface LinkFailedProps extends LinkPageProps {
  error: Error;
  onRetry: () => void;
}

/** Shown when using the link of a mail failed, but a retry may succeed. */
export function LinkFailed({ headingRef, title, error, onRetry }: LinkFailedProps) {
  return (
    <AccountPage headingRef={headingRef} title={title} lead="Something went wrong.">
      <div className="grid gap-5">
        <Notice tone="danger">{messageOf(error)}</Notice>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </AccountPage>
  );
}
