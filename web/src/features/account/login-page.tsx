import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { ApiError } from '#web/lib/api.ts';
import { useFormCall } from '#web/lib/form-call.ts';
import { usePage } from '#web/lib/page.ts';
import { beginSession, type SessionEnd, useMaySignedIn, useMe } from '#web/lib/session.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { NewPasswordFields } from '#web/ui/new-password-fields.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { AccountPage } from './account-page.tsx';
import { signIn } from './api/sign-in.ts';
import { ResendLink } from './resend-link.tsx';
import { nothingMore, type SignInForm, signInFormSchema, signInRequest } from './sign-in-form.ts';

/** What a page passes along when it leads here. */
export interface LoginState {
  from?: string;
  end?: SessionEnd;
  /** What was done just before, on the page that leads here. */
  done?: 'password-set' | 'address-back';
}

const endMessages: Readonly<Record<SessionEnd, string>> = {
  expired: 'Your session has ended. Please sign in again.',
  ended: 'You were signed out. Please sign in again.',
  left: 'You are signed out.',
  deleted: 'Your account is deleted. Thank you for the time you were with us.',
};
const doneMessages: Readonly<Record<NonNullable<LoginState['done']>, string>> = {
  'password-set': 'Your new password is set. Please sign in with it.',
  'address-back': 'Your account is back. Please sign in with your old address and your new password.',
};

/** Sign in; leads back to where one came from, else to the dashboard. */
export function LoginPage() {
  const heading = usePage('Sign in');
  const client = useQueryClient();
  const state = useLocation().state as LoginState | null;
  const me = useMe({ enabled: useMaySignedIn() });
  const [needs, setNeeds] = useState(nothingMore);
  const form = useForm<SignInForm>({
    resolver: zodResolver(signInFormSchema(needs)) as Resolver<SignInForm>,
    defaultValues: { email: '', password: '', code: '', newPassword: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const { submit, isPending, error, problem, clear } = useFormCall(
    form,
    (values) => signIn(signInRequest(values, needs)),
    {
      fields: { CODE_INVALID: 'code', PASSWORD_COMMON: 'newPassword', PASSWORD_REUSED: 'newPassword' },
      onDone: (reply) => beginSession(client, reply),
      onFailed: (failure) => {
        const code = failure instanceof ApiError ? failure.code : null;
        if (code === 'CODE_REQUIRED') setNeeds({ ...needs, code: true });
        else if (code === 'PASSWORD_EXPIRED') setNeeds({ ...needs, newPassword: true });
        else if (code === 'BAD_CREDENTIALS') form.setFocus('password');
      },
    },
  );
  const { setFocus } = form;
  useEffect(() => {
    if (needs.newPassword) setFocus('newPassword');
    else if (needs.code) setFocus('code');
  }, [needs, setFocus]);

  if (me.data) return <Navigate to={state?.from ?? '/dashboard'} replace />;
  if (me.isLoading) return <PageSpinner />;
  const code = error instanceof ApiError ? error.code : null;
  // Asked for by the server in the course of things: nothing went wrong.
  const asksForMore = code === 'CODE_REQUIRED' || code === 'PASSWORD_EXPIRED';
  const before = state?.done ? doneMessages[state.done] : state?.end && endMessages[state.end];
  return (
    <AccountPage headingRef={heading} title="Welcome back" lead="Sign in to your studio.">
      <form noValidate onSubmit={submit} className="grid gap-5">
        {problem !== null ? (
          <Notice tone={asksForMore ? 'info' : 'danger'}>
            {problem}
            {code === 'EMAIL_UNVERIFIED' && <ResendLink email={form.getValues('email')} />}
          </Notice>
        ) : (
          before && !error && <Notice tone={state?.done ? 'good' : 'info'}>{before}</Notice>
        )}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          error={errors.email?.message}
          {...form.register('email', {
            // What another account asked for is not asked for here.
            onChange: () => {
              if (needs === nothingMore) return;
              setNeeds(nothingMore);
              clear();
            },
          })}
        />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            required
            error={errors.password?.message}
            {...form.register('password')}
          />
          <Link
            to="/forgot-password"
            state={{ email: form.watch('email') }}
            className={`${textLinkClass} mt-1 inline-flex min-h-11 items-center text-sm`}
          >
            Forgot your password?
          </Link>
        </div>
        {needs.code && <CodeField error={errors.code?.message} {...form.register('code')} />}
        {needs.newPassword && (
          <NewPasswordFields
            password={form.watch('newPassword') ?? ''}
            passwordInput={form.register('newPassword')}
            confirmationInput={form.register('confirmation')}
            passwordError={errors.newPassword?.message}
            confirmationError={errors.confirmation?.message}
          />
        )}
        <SubmitButton busy={isPending} busyLabel="Signing in..." className="w-full">
          Sign In
        </SubmitButton>
      </form>
      <p className="mt-6 text-center text-ink-soft">
        New to Packshot?{' '}
        <Link to="/signup" state={state} className={textLinkClass}>
          Create an account
        </Link>
      </p>
    </AccountPage>
  );
}
