import { useMutation } from '@tanstack/react-query';
import type { Ref } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { ApiError, type FailureCode, messageOf } from '#web/lib/api.ts';
import { useMayBeSignedIn } from '#web/lib/session.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
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

interface LinkActionProps<Reply> {
  headingRef: Ref<HTMLHeadingElement>;
  title: string;
  /** What the button does. */
  lead: string;
  label: string;
  busyLabel: string;
  /** Uses the link. */
  call: () => Promise<Reply>;
  onDone: (reply: Reply) => void;
  /** Called if the server has refused. */
  onRefused: (code: FailureCode) => void;
}

/**
 * A page behind the link of a mail that uses the link when its button is pressed, never by being opened: programs that check
 * mails open their links, and run the scripts of the page.
 */
export function LinkAction<Reply>(props: LinkActionProps<Reply>) {
  const { headingRef, title, lead, label, busyLabel, call, onDone, onRefused } = props;
  const { mutate, isPending, error } = useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: (failure) => {
      if (failure instanceof ApiError) onRefused(failure.code);
    },
  });
  return (
    <AccountPage headingRef={headingRef} title={title} lead={lead}>
      <div className="grid gap-5">
        {error && <Notice tone="danger">{messageOf(error)}</Notice>}
        <SubmitButton type="button" busy={isPending} busyLabel={busyLabel} onClick={() => mutate()}>
          {label}
        </SubmitButton>
      </div>
    </AccountPage>
  );
}
