import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate } from 'react-router-dom';
import {
  type AddressOnly,
  addressOnlySchema,
  type PasswordOnly,
  passwordOnlySchema,
  type SessionReply,
} from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { useFormCall } from '#web/lib/form-call.ts';
import { usePage } from '#web/lib/page.ts';
import { beginSession } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { resendVerification } from './api/resend-verification.ts';
import { verifyEmail } from './api/verify-email.ts';
import { MailSent } from './mail-sent.tsx';
import { useLink } from './use-link.ts';

/** Target of the link in the verification mail: verifies, signs in, and goes on to the dashboard. */
export function VerifyEmailPage() {
  const heading = usePage('Confirm your address');
  const client = useQueryClient();
  const { token, outcome } = useLink('verify-email', (given) => verifyEmail({ token: given }));
  const [signedIn, setSignedIn] = useState(false);
  const [old, setOld] = useState(false);
  const enter = (reply: SessionReply) => {
    beginSession(client, reply);
    setSignedIn(true);
  };
  const reply = outcome.state === 'done' ? outcome.reply : null;
  useEffect(() => {
    if (reply === null) return;
    beginSession(client, reply);
    setSignedIn(true);
  }, [reply, client]);

  if (signedIn) return <Navigate to="/dashboard" replace />;
  if (outcome.state !== 'failed') {
    return (
      <AccountPage headingRef={heading} title="Confirming your address" lead="This takes a moment.">
        <p role="status" className="flex items-center gap-3 text-ink-soft">
          <Spinner /> Opening your studio…
        </p>
      </AccountPage>
    );
  }
  if (outcome.code === 'PASSWORD_REQUIRED' && !old) {
    return (
      <AccountPage
        headingRef={heading}
        title="Confirm your address"
        lead="You signed up in another browser. Please enter the password that you chose there."
      >
        <PasswordForm token={token} onDone={enter} onOld={() => setOld(true)} />
      </AccountPage>
    );
  }
  if (outcome.code === 'TOKEN_INVALID' || old) return <AnotherLink />;
  return (
    <AccountPage headingRef={heading} title="Confirm your address" lead="That did not work yet.">
      <div className="grid gap-5">
        <Notice tone="danger">{messageOf(outcome.error)}</Notice>
        <Button onClick={outcome.tryAgain}>Try again</Button>
      </div>
    </AccountPage>
  );
}

interface PasswordFormProps {
  token: string;
  onDone: (reply: SessionReply) => void;
  /** The link was used or became too old meanwhile. */
  onOld: () => void;
}

/** Somebody else may have signed up with this address: the link alone is not enough in another browser. */
function PasswordForm({ token, onDone, onOld }: PasswordFormProps) {
  const form = useForm<PasswordOnly>({
    resolver: zodResolver(passwordOnlySchema),
    defaultValues: { password: '' },
  });
  const { submit, isPending, problem } = useFormCall(
    form,
    ({ password }) => verifyEmail({ token, password }),
    {
      fields: {
        WRONG_PASSWORD: 'password',
        BAD_CREDENTIALS: 'password',
        PASSWORD_REQUIRED: 'password',
      },
      onDone,
      onFailed: (failure) => {
        if (failure instanceof ApiError && failure.code === 'TOKEN_INVALID') onOld();
      },
    },
  );
  return (
    <>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {problem && <Notice tone="danger">{problem}</Notice>}
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          error={form.formState.errors.password?.message}
          {...form.register('password')}
        />
        <SubmitButton busy={isPending} busyLabel="Confirming...">
          Confirm and open your studio
        </SubmitButton>
      </form>
      <p className="mt-6 text-sm text-ink-soft">
        Not the one who signed up, or the password is forgotten?{' '}
        <Link to="/forgot-password" className={textLinkClass}>
          Set a new one
        </Link>
      </p>
    </>
  );
}

/** The link is spent: most often because it was followed before. */
function AnotherLink() {
  const heading = usePage('This link has expired');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<AddressOnly>({
    resolver: zodResolver(addressOnlySchema),
    defaultValues: { email: '' },
  });
  const { submit, isPending, problem } = useFormCall(form, ({ email }) => resendVerification(email), {
    onDone: (_reply, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <MailSent
        email={sentTo}
        resend={() => resendVerification(sentTo)}
        onChangeAddress={() => setSentTo(null)}
      >
        <p>If this address still waits to be confirmed, a new link is on its way to it.</p>
      </MailSent>
    );
  }
  return (
    <AccountPage
      headingRef={heading}
      title="This link has expired"
      lead="It was used before, is too old, or a newer one has replaced it."
    >
      <Link to="/login" className={`${textLinkClass} mb-6 inline-flex min-h-11 items-center`}>
        Already confirmed? Sign in
      </Link>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          hint="The address that you signed up with."
          error={form.formState.errors.email?.message}
          {...form.register('email')}
        />
        <SubmitButton busy={isPending} busyLabel="Sending...">
          Send a new link
        </SubmitButton>
      </form>
    </AccountPage>
  );
}
