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
import { LinkAction } from './link-action.tsx';
import { RequestVerificationLink } from './request-verification-link.tsx';
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
        <CredentialFields
          username={username}
          passwordInput={form.register('password')}
          passwordError={form.formState.errors.password?.message}
        />
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
