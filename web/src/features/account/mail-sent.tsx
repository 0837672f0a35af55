import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { limits } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';

/** Seconds after a mail before another may be asked for: most arrive within that. */
const pause = 30;

/** Seconds from 30 down to 0, from the start and after each `restart`. */
function useCountdown(): [left: number, restart: () => void] {
  const [left, setLeft] = useState(pause);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, () => setLeft(pause)];
}

interface MailSentProps {
  email: string;
  /** What the mail holds and for how long. */
  children: ReactNode;
  /** Asks for the mail once more. */
  resend: () => Promise<void>;
  /** Goes back to the form, where the address can be changed. */
  onChangeAddress: () => void;
}

/** What comes next is in a mail: to which address, once more, or to another one. */
export function MailSent({ email, children, resend, onChangeAddress }: MailSentProps) {
  const heading = usePage('Check your mail');
  const [left, restart] = useCountdown();
  // The one that brought this page counts as well.
  const [mails, setMails] = useState(1);
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: resend,
    networkMode: 'always',
    onSuccess: () => {
      setMails(mails + 1);
      restart();
    },
  });
  const spent = mails >= limits.mailsAsked;
  return (
    <AccountPage
      headingRef={heading}
      title="Check your mail"
      lead={
        <>
          Please look into the mailbox of <strong className="font-semibold text-ink">{email}</strong>.
        </>
      }
    >
      <div className="grid gap-5">
        <div className="flex items-start gap-4 rounded-field bg-sunken p-4">
          <MailCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
          <div className="grid gap-2">{children}</div>
        </div>
        {error && <Notice tone="danger">{messageOf(error)}</Notice>}
        {isSuccess && !spent && <Notice tone="good">We have sent it again.</Notice>}
        {spent ? (
          <Notice tone="info">
            That was mail number {limits.mailsAsked}, the most we send to one address in an hour. Please look
            into your spam folder too, or check the address.
          </Notice>
        ) : (
          <div>
            <SubmitButton
              type="button"
              look="secondary"
              className="w-full"
              busy={isPending}
              busyLabel="Sending..."
              disabled={left > 0}
              onClick={() => mutate()}
            >
              Send it again
            </SubmitButton>
            <p className="mt-2 min-h-5 text-center text-sm text-ink-soft tabular-nums">
              {left > 0 && `Nothing there yet? You can ask for another in ${left} s.`}
            </p>
          </div>
        )}
        <Button look="quiet" onClick={onChangeAddress}>
          Use another address
        </Button>
      </div>
      <p className="mt-6 text-center text-ink-soft">
        <Link to="/login" className={textLinkClass}>
          Back to sign in
        </Link>
      </p>
    </AccountPage>
  );
}
