import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate } from 'react-router-dom';
import { type PasswordOnly, passwordOnlySchema, type SessionReply } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { startSession } from '#web/lib/session.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { CredentialFields } from '#web/ui/credential-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api/resend-verification.ts';
import { verifyEmail } from './api/verify-email.ts';
import { LinkFailed, LinkPending } from './link-status.tsx';
import { MailSent } from './mail-sent.tsx';
import { RequestLinkForm } from './request-link-form.tsx';
import { useMailLink } from './use-mail-link.ts';

/** Target of the link in the verification mail: verifies, signs in, and goes on to the dashboard. */
export function VerifyEmailPage() {
  const headingRef = usePage('Confirm your address');
  const client = useQueryClient();
  const { token, result } = useMailLink('verify-email', (given) => verifyEmail({ token: given }));
  const [session, setSession] = useState<SessionReply | null>(null);
  const [expired, setExpired] = useState(false);
  const reply = session ?? (result.state === 'done' ? result.reply : null);
  const [signedIn, setSignedIn] = useState(false);
  useEffect(() => {
    if (reply === null) return;
    startSession(client, reply);
    setSignedIn(true);
  }, [reply, client]);

  if (signedIn) return <Navigate to="/dashboard" replace />;
  if (reply !== null || result.state !== 'failed') {
    return (
      <LinkPending headingRef={headingRef} title="Confirming your address" text="Opening your studio…" />
    );
  }
  if (expired || result.code === 'TOKEN_INVALID') return <RequestNewLink />;
  if (result.code === 'PASSWORD_REQUIRED') {
    return (
      <AccountPage
        headingRef={headingRef}
        title="Confirm your address"
        lead="You signed up in another browser. Please enter the password that you chose there."
      >
        <PasswordForm token={token} onSuccess={setSession} onExpired={() => setExpired(true)} />
      </AccountPage>
    );
  }
  return (
    <LinkFailed
      headingRef={headingRef}
      title="Confirm your address"
      error={result.error}
      onRetry={result.retry}
    />
  );
}

interface PasswordFormProps {
  token: string;
  onSuccess: (reply: SessionReply) => void;
  /** Called if the link has expired. */
  onExpired: () => void;
}

/** Required in another browser: somebody else may have signed up with this address. */
function PasswordForm({ token, onSuccess, onExpired }: PasswordFormProps) {
  const form = useForm<PasswordOnly>({
    resolver: zodResolver(passwordOnlySchema),
    defaultValues: { password: '' },
  });
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ password }) => verifyEmail({ token, password }),
    {
      fields: { WRONG_PASSWORD: 'password', BAD_CREDENTIALS: 'password', PASSWORD_REQUIRED: 'password' },
      onSuccess,
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'TOKEN_INVALID') onExpired();
      },
    },
  );
  return (
    <>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {formError && <Notice tone="danger">{formError}</Notice>}
        <CredentialFields
          passwordInput={form.register('password')}
          passwordError={form.formState.errors.password?.message}
        />
        <SubmitButton busy={isPending} busyLabel="Confirming...">
          Confirm and open your studio
        </SubmitButton>
      </form>
      <p className="mt-6 text-sm text-ink-soft">
        Forgot your password?{' '}
        <Link to="/forgot-password" className={textLinkClass}>
          Reset it
        </Link>
      </p>
    </>
  );
}

/** The link has expired, usually because it was used before. */
function RequestNewLink() {
  const heading = usePage('This link has expired');
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>You'll find a new link if this address still needs to be confirmed.</p>
      </MailSent>
    );
  }
  return (
    <AccountPage
      headingRef={heading}
      title="This link has expired"
      lead="It was already used, is too old, or was replaced by a newer one."
    >
      <Link to="/login" className={`${textLinkClass} mb-6 inline-flex min-h-11 items-center`}>
        Already confirmed? Sign in
      </Link>
      <RequestLinkForm
        hint="The address that you signed up with."
        submitLabel="Send a new link"
        call={resendVerification}
        onSent={setSentTo}
      />
    </AccountPage>
  );
}
