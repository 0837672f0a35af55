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
import { verifyEmail } from './api/verify-email.ts';
import { LinkFailed, LinkPending } from './link-status.tsx';
import { RequestVerificationLink } from './request-verification-link.tsx';
import { useLinkAddress } from './use-link-address.ts';
import { useMailLink } from './use-mail-link.ts';

/** Target of the link in the verification mail: verifies, signs in, and goes on to the dashboard. */
export function VerifyEmailPage() {
  const headingRef = usePage('Confirm your email');
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
    return <LinkPending headingRef={headingRef} title="Confirming your email" text="Opening your studio…" />;
  }
  if (expired || result.code === 'TOKEN_INVALID') return <RequestVerificationLink />;
  if (result.code === 'PASSWORD_REQUIRED') {
    return (
      <AccountPage
        headingRef={headingRef}
        title="Confirm your email"
        lead="You signed up in another browser. Please enter the password you chose there."
      >
        <PasswordForm token={token} onSuccess={setSession} onExpired={() => setExpired(true)} />
      </AccountPage>
    );
  }
  return (
    <LinkFailed
      headingRef={headingRef}
      title="Confirm your email"
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

/** Required in another browser, because somebody else may have signed up with this address. */
function PasswordForm({ token, onSuccess, onExpired }: PasswordFormProps) {
  const username = useLinkAddress(token);
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
          username={username}
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
