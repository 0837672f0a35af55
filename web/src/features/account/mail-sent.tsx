import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { limits } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';

/** Seconds before a mail can be resent; most arrive within that time. */
const resendDelay = 30;

/** Counts the seconds down to 0, from the start and after each `restart`. */
function useCountdown(seconds: number): [secondsLeft: number, restart: () => void] {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    if (secondsLeft === 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  return [secondsLeft, () => setSecondsLeft(seconds)];
}

interface MailSentProps {
  email: string;
  /** What the mail contains. */
  children: ReactNode;
  /** Sends the mail again. */
  resend: () => Promise<void>;
  /** Goes back to the form, to enter another address. */
  onChangeAddress: () => void;
}

/** Shown after a mail with a link was sent; can resend it. */
export function MailSent({ email, children, resend, onChangeAddress }: MailSentProps) {
  const heading = usePage('Check your email');
  return (
    <AccountPage
      headingRef={heading}
      title="Check your email"
      lead={
        <>
          We sent a link to{' '}
          <strong className="font-semibold text-ink">
            <Name>{email}</Name>
          </strong>
          .
        </>
      }
    >
      <div className="grid gap-5">
        <div className="flex items-start gap-4 rounded-field bg-sunken p-4">
          <MailCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
          <div className="grid gap-2">{children}</div>
        </div>
        <ResendMail resend={resend} />
        <Button variant="quiet" onClick={onChangeAddress}>
          Use another email
        </Button>
      </div>
      <BackToSignIn />
    </AccountPage>
  );
}

/** Resends the mail, with a pause after each and up to the limit. */
function ResendMail({ resend }: { resend: () => Promise<void> }) {
  const [secondsLeft, restart] = useCountdown(resendDelay);
  // Includes the mail that was sent before this page.
  const [mailsSent, setMailsSent] = useState(1);
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: resend,
    onSuccess: () => {
      setMailsSent(mailsSent + 1);
      restart();
    },
  });
  const limitReached = mailsSent >= limits.mailsAsked;
  return (
    <>
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
      {isSuccess && !limitReached && <Notice tone="good">We sent it again.</Notice>}
      {limitReached ? (
        <Notice tone="info">
          We send at most {limits.mailsAsked} emails an hour to one address. Please check your spam folder and
          the spelling of the address.
        </Notice>
      ) : (
        <div>
          <SubmitButton
            type="button"
            variant="secondary"
            className="w-full"
            busy={isPending}
            busyLabel="Sending..."
            disabled={secondsLeft > 0}
            onClick={() => mutate()}
          >
            Resend link
          </SubmitButton>
          <p className="mt-2 min-h-5 text-center text-sm text-ink-soft tabular-nums">
            {secondsLeft > 0 && `Didn't get it? Resend in ${secondsLeft} s.`}
          </p>
        </div>
      )}
    </>
  );
}

/** The link below a form that leads back to the sign-in page. */
export function BackToSignIn() {
  return (
    <p className="mt-6 text-center text-ink-soft">
      <Link to="/login" className={textLinkClass}>
        Back to sign in
      </Link>
    </p>
  );
}
