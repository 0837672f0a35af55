import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate } from 'react-router-dom';
import { type PasswordOnly, passwordOnlySchema, type SessionReply } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { usePage } from '#web/lib/page.ts';
import { startSession } from '#web/lib/session.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { CredentialFields } from '#web/ui/credential-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api.ts';
import { LinkAction } from './link-page.tsx';
import { MailSent } from './mail-sent.tsx';
import { RequestLinkForm } from './request-link-form.tsx';
import { verifyEmail } from './session-api.ts';
import { useLinkAddress } from './use-link-address.ts';
import { useLinkToken } from './use-link-token.ts';

/** Target of the link in the verification mail: verifies, signs in, and goes on to the dashboard when its button is pressed. */
export function VerifyEmailPage() {
  const headingRef = usePage('Confirm your email');
  const client = useQueryClient();
  const token = useLinkToken();
  const [state, setState] = useState<'button' | 'password' | 'expired' | 'done'>(
    token === '' ? 'expired' : 'button',
  );
  const openStudio = (session: SessionReply) => {
    startSession(client, session);
    setState('done');
  };
  if (state === 'done') return <Navigate to="/dashboard" replace />;
  if (state === 'expired') return <RequestVerificationLink />;
  if (state === 'password') {
    return (
      <AccountPage
        headingRef={headingRef}
        title="Confirm your email"
        lead="You signed up in another browser. Please enter the password you chose there."
      >
        <PasswordForm token={token} onSuccess={openStudio} onExpired={() => setState('expired')} />
      </AccountPage>
    );
  }
  return (
    <LinkAction
      headingRef={headingRef}
      title="Confirm your email"
      lead="You'll be signed in, and your studio opens."
      label={submitLabel}
      busyLabel="Confirming..."
      call={() => verifyEmail({ token })}
      onDone={openStudio}
      onRefused={(code) => {
        if (code === 'PASSWORD_REQUIRED') setState('password');
        else if (code === 'TOKEN_INVALID') setState('expired');
      }}
    />
  );
}

const submitLabel = 'Confirm and open your studio';

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
  const { setFocus } = form;
  useEffect(() => setFocus('password'), [setFocus]);
  return (
    <>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {formError && <Notice tone="danger">{formError}</Notice>}
        <CredentialFields username={username} password={registerField(form, 'password')} />
        <SubmitButton busy={isPending} busyLabel="Confirming...">
          {submitLabel}
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

/** Shown when a verification link no longer works, usually because it was used before: requests a new one. */
function RequestVerificationLink() {
  const heading = usePage('This link has expired');
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>You'll find a new link there if this email still needs to be confirmed.</p>
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
        hint="The email you signed up with."
        submitLabel="Send new link"
        call={resendVerification}
        onSent={setSentTo}
      />
    </AccountPage>
  );
}
